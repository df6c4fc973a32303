// What musl_test.py runs: Shop.dll WHAT; each prints a line and returns a code of its own.
using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading;
using System.Threading.Tasks;

namespace Shop;

class Article { public byte[] Name = new byte[100]; }

static class Program {
  static object kept;

  [MethodImpl(MethodImplOptions.NoInlining)]
  static double Price(int milliseconds) {
    double sum = 0;
    for (var watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < milliseconds;)
      for (int i = 0; i < 1000; i++) sum += Math.Sqrt(sum + i);
    return sum;
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static int Add(int left, int right) => left + right;

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Refuse(int number) => throw new InvalidOperationException("article " + number);

  static int Sum() {
    int sum = 0;
    for (int i = 0; i < 1000; i++) sum = Add(sum, i);
    return sum;
  }

  static int Refused() {
    int caught = 0;
    for (int i = 0; i < 20; i++) {
      try { Refuse(i); } catch (InvalidOperationException) { caught++; }
    }
    return caught;
  }

  static int Threads() {
    int sum = 0;
    var threads = new Thread[8];
    for (int i = 0; i < threads.Length; i++) {
      threads[i] = new Thread(() => { Price(100); Interlocked.Add(ref sum, Sum()); Refused(); }, 128 * 1024);
      threads[i].Start();
    }
    foreach (var thread in threads) thread.Join();
    Task.WaitAll(Task.Run(async () => { await Task.Delay(20); Price(50); }), Task.Run(() => Price(50)));
    return sum;
  }

  static int Keep() {
    var articles = new Article[5000];
    for (int i = 0; i < articles.Length; i++) articles[i] = new Article();
    kept = articles;
    GC.Collect();
    return articles.Length;
  }

  static void Serve() {
    Keep();
    Console.WriteLine("ready");
    var asked = Task.Run(Console.ReadLine);
    while (!asked.IsCompleted) { Price(5); Sum(); Refused(); }
  }

  static int Main(string[] arguments) {
    switch (arguments[0]) {
      case "work": Price(600); break;
      case "sum": Console.WriteLine(Sum()); return 3;
      case "refused": Console.WriteLine(Refused()); return 4;
      case "threads": Console.WriteLine(Threads()); return 5;
      case "keep": Console.WriteLine(Keep()); Price(100); GC.KeepAlive(kept); return 6;
      case "serve": Serve(); break;
      case "crash": Refuse(7); break;
    }
    Console.WriteLine("done");
    return 0;
  }
}
