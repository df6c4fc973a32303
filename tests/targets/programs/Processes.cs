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
    if (how == "kill") kill(Environment.ProcessId, 9);
    Thread.Sleep(1000);
    return 1;
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
