using System.Diagnostics;
using System.Runtime.InteropServices;

// Standard input to standard output, its length to standard error.
static class Echo {
  public static int Run() {
    string text = Console.In.ReadToEnd();
    Console.Out.Write(text);
    Console.Error.Write(text.Length);
    return text.Length % 100;
  }
}

static class Crash {
  public static int Run(string how) {
    if (how == "unhandled") throw new InvalidOperationException("nobody catches this");
    if (how == "failfast") Environment.FailFast("on purpose");
    if (how == "thread") InThread();
    if (how == "again") ThrowAgain();
    if (how == "async-void") FromAsyncVoid();
    if (how == "task") InTask();
    if (how == "handler") InHandler();
    if (how == "overflow") Overflow(1);
    if (how == "nobody") NotAwaited(Enumerable.Range(0, 2).ToArray());
    if (how == "kill") kill(Environment.ProcessId, 9);
    Thread.Sleep(1000);
    return 1;
  }

  sealed class Refusal(string message) : Exception(message);

  // While another thread has the runtime collect again and again.
  static void InThread() {
    new Thread(() => { for (;; Thread.Sleep(1)) GC.Collect(0); }) { IsBackground = true }.Start();
    var thread = new Thread(() => {
      Thread.Sleep(100);
      throw new Refusal("on a thread");
    });
    thread.Start();
    thread.Join();
  }

  static void ThrowAgain() {
    try {
      throw new Refusal("caught once");
    } catch (Refusal) {
      throw;
    }
  }

  static async void FromAsyncVoid() {
    await Task.Delay(10);
    throw new Refusal("nobody can await this");
  }

  // Not fatal: nobody looks.
  static void InTask() {
    for (int i = 0; i < 2; i++) Task.Run(() => throw new Refusal("in a task"));
    Thread.Sleep(100);
    Environment.Exit(5);
  }

  static void InHandler() {
    AppDomain.CurrentDomain.UnhandledException += (_, _) => Environment.Exit(6);
    throw new Refusal("for the handler");
  }

  static int Overflow(int depth) => depth == 0 ? 0 : 1 + Overflow(depth + 1);

  // The last of many.
  static void NotAwaited(int[] few) {
    for (int i = 0; i < 20_000; i++) {
      try {
        throw new Refusal($"number {i}");
      } catch (Refusal) {
      }
    }
    Thread.Sleep(200);
    Console.WriteLine(few.First(one => one < 0 || one > 1 ? true : one == 1 ? throw new Refusal("the last") : false));
  }

  [DllImport("libc")]
  static extern int kill(int pid, int signal);
}

// Until Ctrl-C or SIGTERM comes.
static class Wait {
  public static int Run() {
    using var told = new ManualResetEventSlim();
    int code = 0;
    void Tell(PosixSignalContext context) {
      context.Cancel = true;
      code = context.Signal == PosixSignal.SIGINT ? 3 : 4;
      told.Set();
    }
    using var interrupt = PosixSignalRegistration.Create(PosixSignal.SIGINT, Tell);
    using var terminate = PosixSignalRegistration.Create(PosixSignal.SIGTERM, Tell);
    Console.WriteLine("ready");
    told.Wait();
    Console.WriteLine("told");
    return code;
  }
}

// Runs this program again as a child process, with other arguments.
static class Parent {
  public static int Run(string[] args) {
    using Process child = Process.Start(Environment.ProcessPath!, [typeof(Parent).Assembly.Location, .. args]);
    child.WaitForExit();
    return child.ExitCode;
  }
}
