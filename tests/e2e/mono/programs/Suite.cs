// A suite for nunit-console: what passes, fails, throws, is ignored, and starts a thread.
using System;
using System.Threading;
using NUnit.Framework;

class Node {
  Node next;
  public Node(Node next) { this.next = next; }
  public bool IsLast { get { return next == null; } }
}

[TestFixture]
public class Suite {
  static int Fib(int n) { return n < 2 ? n : Fib(n - 1) + Fib(n - 2); }

  [Test]
  public void Adds() { Assert.AreEqual(6765, Fib(20)); }

  [Test]
  public void Fails() { Assert.AreEqual(1, Fib(3)); }

  [Test, ExpectedException(typeof(InvalidOperationException))]
  public void Throws() { throw new InvalidOperationException("no"); }

  [TestCase(1)]
  [TestCase(2)]
  public void Cases(int n) { Assert.Greater(n, 0); }

  [Test]
  public void Allocates() {
    Node last = null;
    for (int i = 0; i < 1000; i++) last = new Node(last);
    Assert.IsFalse(last.IsLast);
  }

  [Test]
  public void Threads() {
    var thread = new Thread(() => Fib(15));
    thread.Start();
    thread.Join();
  }

  [Test, Ignore("not now")]
  public void Ignored() {}
}
