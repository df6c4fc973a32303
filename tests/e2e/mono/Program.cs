// A program for Mono of which it is known how often what happens.
using System;
using System.Collections;
using System.Collections.Generic;
using System.Diagnostics;
using System.Threading;

class Node {
  public readonly int Value;
  public Node(int value) { Value = value; }
}

static class Deep {
  // Long enough to be sampled, and not inlined.
  static long Spin(int ms) {
    long rounds = 0;
    for (var watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < ms;)
      for (int i = 0; i < 10000; i++) rounds = rounds * 31 + i;
    return rounds;
  }
  static long Inner(int ms) { try { return Spin(ms) | 1; } finally { Counts.Tick(); } }
  static T Middle<T>(Func<int, T> inner, int ms) { T result = inner(ms); Counts.Tick(); return result; }
  public static void Outer(int ms) { if (Middle(Inner, ms) == 0) Console.WriteLine("never"); }
}

static class Counts {
  public static int Ticks;
  public static void Tick() { Ticks++; }
  static int Fib(int n) { return n < 2 ? n : Fib(n - 1) + Fib(n - 2); }
  static void Throw(int i) { if (i % 2 == 0) throw new InvalidOperationException("even " + i % 4); }
  static int Catch(int i) {
    try {
      Throw(i);
      return 0;
    } catch (InvalidOperationException) {
      return 1;
    } finally {
      Tick();
    }
  }
  static int Allocate(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += new Node(i).Value & 1;
    return sum;
  }
  public static void Run() {
    int caught = 0;
    for (int i = 0; i < 1000; i++) caught += Catch(i);
    var thread = new Thread(() => Fib(15)) { Name = "fifteen" };
    thread.Start();
    thread.Join();
    Console.WriteLine(Fib(20) + " " + caught + " " + Allocate(50000) + " " + Ticks);
  }
}

// Its code is the same for all references, and is compiled for the first of them.
class Shared<T> {
  public static long Spin(int ms) {
    long rounds = 0;
    for (var watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < ms;)
      for (int i = 0; i < 10000; i++) rounds = rounds * 31 + i;
    return rounds;
  }
}

class Pair<TKey, TValue> {
  public int Count;
  public void Set(TKey key, TValue value) { Count++; }
  public U Map<U>(TKey key, U other) { return other; }
}

static class Program {
  // Where all arguments are references, they share their code.
  static void Generics() {
    var texts = new Pair<string, Node>();
    texts.Set("a", null);
    texts.Map("a", "b");
    texts.Map("a", new Node(1));
    texts.Map("a", 1);
    new Pair<int, string>().Set(1, "b");
    Console.WriteLine(texts.Count);
  }

  static void Wait() {
    var gate = new object();
    var thread = new Thread(() => { lock (gate) Console.WriteLine("had it"); });
    lock (gate) {
      thread.Start();
      Thread.Sleep(200);
    }
    thread.Join();
  }

  static void Collect() {
    var kept = new List<byte[]>();
    for (int i = 0; i < 200000; i++)
      if (i % 100 == 0) kept.Add(new byte[100]); else new byte[100].GetHashCode();
    for (int i = 0; i < 3; i++) GC.Collect();
    Console.WriteLine(kept.Count);
  }

  static void Environment() {
    foreach (DictionaryEntry entry in System.Environment.GetEnvironmentVariables()) {
      string name = (string)entry.Key;
      if (name.StartsWith("ORIEL") || name.StartsWith("CORECLR") || name.StartsWith("MONO_ENV") || name == "LD_LIBRARY_PATH")
        Console.WriteLine(name + "=" + entry.Value);
    }
  }

  static void Child() {
    var start = new ProcessStartInfo("mono", typeof(Program).Assembly.Location + " counts") { UseShellExecute = false };
    using (var child = Process.Start(start)) child.WaitForExit();
  }

  static void TickForAMinute() {
    Console.WriteLine(Process.GetCurrentProcess().Id);
    for (int i = 0; i < 600; i++) {
      Counts.Tick();
      Thread.Sleep(100);
    }
  }

  static int Main(string[] args) {
    switch (args[0]) {
      case "counts": Counts.Run(); break;
      case "deep": Deep.Outer(int.Parse(args[1])); break;
      case "generics": Generics(); break;
      case "shared": Console.WriteLine((Shared<string>.Spin(0) | Shared<Node>.Spin(int.Parse(args[1]))) != 0); break;
      case "ticks": TickForAMinute(); break;
      case "wait": Wait(); break;
      case "collect": Collect(); break;
      case "environment": Environment(); break;
      case "child": Child(); break;
      case "code": return 7;
      case "exit": System.Environment.Exit(8); break;
      case "throw": throw new InvalidOperationException("nobody catches it");
      case "fail": System.Environment.FailFast("it fails"); break;
    }
    return 0;
  }
}
