// What a flight recorder is to keep: does what the lines on stdin say, one after another, and answers each with a line.
// A thread of it is busy all the time, unless it is started as `recorded idle`.
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Recorded;

static class Program {
  static readonly ActivitySource Source = new("Recorded.Orders");
  static readonly List<PosixSignalRegistration> Signals = [];
  static volatile int work;

  static int Main(string[] args) {
    if (args is not ["idle"]) new Thread(Busy) { IsBackground = true, Name = "busy" }.Start();
    Console.WriteLine("ready");
    while (Console.ReadLine() is string line) {
      string[] words = line.Split(' ');
      if (words[0] == "exit") return int.Parse(words[1]);
      Do(words[0], words.Length > 1 ? int.Parse(words[1]) : 0);
      Console.WriteLine("did " + line);
    }
    return 0;
  }

  static void Do(string what, int number) {
    switch (what) {
      case "throw": Shop.TryToPay(number); break;
      case "collect": Heap.Collect(number); break;
      case "calls": Calls.OnThreads(number); break;
      case "burn": Burn(number); break;
      case "work": Work(number); break;
      case "order": Order(number); break;
      case "wait": Thread.Sleep(number); break;
      case "handle":
        Signals.Add(PosixSignalRegistration.Create((PosixSignal)number, context => {
          context.Cancel = true;
          Console.WriteLine("handled");
        }));
        break;
      case "failfast": Environment.FailFast("the shop burns"); break;
      case "segv": Marshal.WriteInt32(Marshal.AllocHGlobal(4) + unchecked((nint)(1L << 46)), 1); break;
      case "unhandled": Shop.Pay(1); break;
      default: throw new ArgumentException(what);
    }
  }

  static void Busy() {
    for (;;) Spin();
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Spin() {
    for (int i = 0; i < 100_000; i++) work++;
  }

  static void Burn(int ms) {
    var threads = new Thread[Environment.ProcessorCount];
    for (int i = 0; i < threads.Length; i++) {
      threads[i] = new Thread(() => {
        for (var watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < ms;) Spin();
      });
      threads[i].Start();
    }
    foreach (Thread thread in threads) thread.Join();
  }

  static void Work(int rounds) {
    var threads = new Thread[2];
    for (int i = 0; i < threads.Length; i++) {
      threads[i] = new Thread(() => {
        for (int round = 0; round < rounds; round++) Spin();
      });
      threads[i].Start();
    }
    foreach (Thread thread in threads) thread.Join();
  }

  static void Order(int ms) {
    using Activity? activity = Source.StartActivity("order");
    Thread.Sleep(ms);
  }
}

static class Shop {
  [MethodImpl(MethodImplOptions.NoInlining)]
  public static void Pay(int order) => throw new TimeoutException($"order {order}");

  public static void TryToPay(int times) {
    for (int i = 0; i < times; i++) {
      try {
        Pay(i);
      } catch (TimeoutException) {
      }
    }
  }
}

static class Heap {
  sealed class Node {
    public Node? Next;
    public object? Value;
  }

  public static void Collect(int nodes) {
    Node? list = null;
    for (int i = 0; i < nodes; i++) list = new Node { Next = list, Value = i };
    GC.Collect(2, GCCollectionMode.Forced, blocking: true, compacting: true);
    GC.KeepAlive(list);
  }
}

static class Calls {
  [MethodImpl(MethodImplOptions.NoInlining)]
  static int Step(int i) => i % 7 == 0 ? Half(i) : i + 1;

  [MethodImpl(MethodImplOptions.NoInlining)]
  static int Half(int i) => i / 2 + 3;

  public static void OnThreads(int ms) {
    var threads = new Thread[4];
    for (int t = 0; t < threads.Length; t++) {
      threads[t] = new Thread(() => {
        int sum = 0;
        for (var watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < ms;)
          for (int i = 0; i < 10_000; i++) sum = Step(sum);
      });
      threads[t].Start();
    }
    foreach (Thread thread in threads) thread.Join();
  }
}
