// Every way in which a program ends.
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Stress;

static unsafe class Exits {
  // With a worker beside it that calls and allocates, and something said before.
  public static int Run(string[] args) {
    var worker = new Thread(() => {
      while (true) {
        Tools.Work(10);
        Tools.Compute(100_000);
      }
    }) { IsBackground = true };
    worker.Start();
    Thread.Sleep(50);
    Console.WriteLine("about to end");
    return End(args[0], args[1..]);
  }

  static int End(string how, string[] args) {
    switch (how) {
      case "return": return 42;
      case "late":
        Thread.Sleep(int.Parse(args[0]) - 50);
        return End(args[1], args[2..]);
      case "environment": Environment.Exit(43); break;
      case "environment-on-thread": OnThread(() => Environment.Exit(44)); break;
      case "environment-with-handlers": WithHandlers(); break;
      case "environment-amid-threads": AmidThreads(() => Environment.Exit(45)); break;
      case "return-amid-threads": AmidThreads(() => { }); return 46;
      case "fail-fast": Environment.FailFast("it failed fast"); break;
      case "fail-fast-on-thread": OnThread(() => Environment.FailFast("it failed fast")); break;
      case "unhandled": throw new InvalidOperationException("nobody handles it");
      case "unhandled-on-thread": OnThread(() => throw new InvalidOperationException("nobody handles it")); break;
      case "unhandled-in-finalizer": InFinalizer(); break;
      case "unhandled-in-task": Task.Run(() => throw new InvalidOperationException("awaited")).Wait(); break;
      case "exit": Libc.Exit(47); break;
      case "exit-on-thread":
        // For whoever joins it the thread ends before the process does.
        new Thread(() => Libc.Exit(48)).Start();
        Thread.Sleep(10000);
        break;
      case "exit-amid-threads": AmidThreads(() => Libc.Exit(49)); break;
      case "quick-exit": Libc.QuickExit(50); break;
      case "exit-at-once": Libc.ExitAtOnce(51); break;
      case "exit-at-once-amid-threads": AmidThreads(() => Libc.ExitAtOnce(52)); break;
      case "abort": Libc.Abort(); break;
      case "raise": Libc.Raise(int.Parse(args[0])); Thread.Sleep(2000); break;
      case "null-in-native": Libc.Fill(null, 0, 16); break;
      case "null-in-managed": Console.WriteLine(((string)Nothing()!).Length); break;
      case "kill-itself": Process.GetCurrentProcess().Kill(); Thread.Sleep(10000); break;
      case "signalled": Signalled(args[0]); break;
      case "signalled-handled": SignalledHandled(); break;
      case "execute": Libc.Execute("/bin/sh", ["sh", "-c", "echo executed; exit 53", null]); break;
      case "execute-amid-threads":
        AmidThreads(() => Libc.Execute("/bin/sh", ["sh", "-c", "echo executed; exit 54", null]));
        break;
    }
    return 99;
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static object? Nothing() => null;

  static void OnThread(ThreadStart run) {
    var thread = new Thread(run);
    thread.Start();
    thread.Join();
  }

  static void AmidThreads(Action end) {
    for (int i = 0; i < 20; i++) {
      new Thread(() => {
        for (int round = 0;; round++) {
          Tools.Work(5);
          Tools.Compute(10_000);
          if (round % 10 == 0) {
            Thread.Sleep(1);
          }
        }
      }) { IsBackground = true }.Start();
    }
    Thread.Sleep(50);
    end();
  }

  static void WithHandlers() {
    AppDomain.CurrentDomain.ProcessExit += (_, _) => {
      Tools.Work(1000);
      Console.WriteLine("process exit");
    };
    Environment.Exit(55);
  }

  sealed class Thrower {
    ~Thrower() => throw new InvalidOperationException("from the finalizer");
  }

  static void InFinalizer() {
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Make() => new Thrower();
    Make();
    GC.Collect();
    GC.WaitForPendingFinalizers();
    Thread.Sleep(10000);
  }

  // From another process, as a shell or a service manager does.
  static void Signalled(string signal) {
    using var killer = Process.Start("kill", [$"-{signal}", $"{Environment.ProcessId}"]);
    killer.WaitForExit();
    Thread.Sleep(10000);
  }

  static void SignalledHandled() {
    using var told = new CountdownEvent(3);
    void Note(PosixSignalContext context) {
      context.Cancel = true;
      told.Signal();
    }
    using var terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Note);
    using var quit = PosixSignalRegistration.Create(PosixSignal.SIGQUIT, Note);
    Console.CancelKeyPress += (_, press) => {
      press.Cancel = true;
      if (press.SpecialKey == ConsoleSpecialKey.ControlC) told.Signal();  // SIGQUIT comes here too
    };
    foreach (string signal in new[] { "TERM", "QUIT", "INT" }) {
      using var killer = Process.Start("kill", [$"-{signal}", $"{Environment.ProcessId}"]);
      killer.WaitForExit();
    }
    Console.WriteLine($"told {told.Wait(20000)}");
    Environment.Exit(56);
  }

  // On the main thread, or on another.
  public static int Overflow(string[] args) {
    Console.WriteLine("about to overflow");
    if (args.Contains("thread")) {
      OnThread(() => Deeper(0));
    } else {
      Deeper(0);
    }
    return 99;
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static long Deeper(long depth) => Deeper(depth + 1) + depth;
}
