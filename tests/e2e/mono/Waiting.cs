// Waits on Mono: for a lock, in a function that is called by P/Invoke, and for a lock that does not come in time.
using System;
using System.Runtime.InteropServices;
using System.Threading;

static class Waiting {
  [DllImport("libc")]
  static extern int usleep(uint microseconds);

  static readonly object gate = new object();

  static void Take() {
    lock (gate) Console.WriteLine("had it");
  }
  static void Try() { Console.WriteLine(Monitor.TryEnter(gate, 300)); }
  static void Sleep() { usleep(400000); }

  static void WhileHeld(ThreadStart other, Action work) {
    var thread = new Thread(other);
    lock (gate) {
      thread.Start();
      work();
    }
    thread.Join();
  }

  static void Main() {
    WhileHeld(Take, Sleep);
    WhileHeld(Try, () => Thread.Sleep(600));
  }
}
