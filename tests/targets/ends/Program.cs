// Ends in every way, at a moment of its choice: ends HOW MILLISECONDS [BESIDE].
using System.Diagnostics;
using System.Diagnostics.Tracing;
using System.Runtime.InteropServices;

namespace Ends;

static partial class Program {
  static int Main(string[] args) {
    int milliseconds = int.Parse(args[1]);
    if (args.Length > 2) Beside(args[2]);
    Thread.Sleep(milliseconds);
    return End(args[0]);
  }

  static void Beside(string what) {
    Action work = what switch {
      "listeners" => Listeners.Make,
      "locks" => Locks.Wait,
      _ => throw new ArgumentException(what),
    };
    // The framework's own source of what listeners tell is made at the first one, under two locks that Make takes the other
    // way round: where both threads are first, they may wait for each other under any session, which is not what ends are.
    new DiagnosticListener("First").Dispose();
    for (int i = 0; i < 2; i++) new Thread(() => work()) { IsBackground = true }.Start();
  }

  static int End(string how) {
    switch (how) {
      case "return": return 42;
      case "exit": Environment.Exit(43); break;
      case "exit-on-thread": new Thread(() => Environment.Exit(44)).Start(); break;
      case "unhandled": throw new InvalidOperationException("nobody handles it");
      case "fail-fast": Environment.FailFast("it failed fast"); break;
      case "term": Kill(Environment.ProcessId, 15); break;
      case "int": Kill(Environment.ProcessId, 2); break;
    }
    Thread.Sleep(Timeout.Infinite);
    return 99;
  }

  [DllImport("libc", EntryPoint = "kill")]
  static extern int Kill(int process, int signal);
}

// Makes an event source whenever it hears of a listener, as libraries do when they are first needed: that is under a
// lock of the framework's.
sealed class Listeners : IObserver<DiagnosticListener> {
  sealed class Source(string name) : EventSource(name);

  static int made;

  public static void Make() {
    using IDisposable heard = DiagnosticListener.AllListeners.Subscribe(new Listeners());
    while (true) {
      using var listener = new DiagnosticListener("Ends");
    }
  }

  public void OnNext(DiagnosticListener listener) {
    using var source = new Source("Ends-" + Interlocked.Increment(ref made));
    Thread.Sleep(1);
  }
  public void OnError(Exception error) { }
  public void OnCompleted() { }
}

// Two threads that wait for each other all the time.
static class Locks {
  static readonly object one = new();

  public static void Wait() {
    while (true)
      lock (one) Thread.Sleep(5);
  }
}
