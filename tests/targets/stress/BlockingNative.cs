// The blocking calls of native/blocking_*.c, by P/Invoke.
using System.Globalization;
using System.Runtime.InteropServices;

namespace Stress;

static unsafe class BlockingNative {
  struct Outcome {
    public nint Returned;
    public int Error;
    public nint Milliseconds, Start, Nanoseconds;
  }

  [DllImport("stress")] static extern int stress_blocking_count();
  [DllImport("stress")] static extern byte* stress_blocking_name(int number);
  [DllImport("stress")] static extern byte* stress_error_name(int error);
  [DllImport("stress")] static extern void stress_blocking_run(int number, int milliseconds, Outcome* outcome);
  [DllImport("stress")] static extern void stress_blocking_foreign(int milliseconds, Outcome* outcomes);

  const int Milliseconds = 300;

  static void Print(Outcome[] outcomes) {
    for (int i = 0; i < outcomes.Length; i++) {
      Outcome outcome = outcomes[i];
      string? name = Marshal.PtrToStringUTF8((nint)stress_blocking_name(i));
      string? error = Marshal.PtrToStringUTF8((nint)stress_error_name(outcome.Error));
      Console.WriteLine($"{name}: returned {outcome.Returned}, {error}");
      Console.WriteLine(string.Create(CultureInfo.InvariantCulture,
                                      $"~ {name} {outcome.Milliseconds} {outcome.Nanoseconds / 1e6:F1}"));
    }
  }

  // All at once, each on a thread of the runtime's that has worked before; "busy": while others work.
  public static int Run(string[] args) {
    var outcomes = new Outcome[stress_blocking_count()];
    void Block() => Tools.Together(outcomes.Length, i => {
      Tools.Work(300);
      Outcome outcome;
      stress_blocking_run(i, Milliseconds, &outcome);
      outcomes[i] = outcome;
    });
    if (args.Contains("busy")) {
      Tools.BesidesWork(Block, threads: 2);
    } else {
      Block();
    }
    Print(outcomes);
    return 0;
  }

  public static int RunForeign(string[] args) {
    var outcomes = new Outcome[stress_blocking_count()];
    Tools.BesidesWork(() => {
      fixed (Outcome* first = outcomes) {
        stress_blocking_foreign(Milliseconds, first);
      }
    });
    Print(outcomes);
    return 0;
  }

  // A thousand short sleeps, each after a computation: a signal that is meant for the computation comes too late.
  public static int AfterWork(string[] args) {
    int cut = 0;
    Tools.Together(2, _ => {
      for (int i = 0; i < 500; i++) {
        Tools.Work(20);
        Tools.Compute(200_000 + i % 7 * 20_000);
        if (Libc.SleepMicroseconds(1000) != 0) {
          Interlocked.Increment(ref cut);
        }
      }
    });
    Console.WriteLine($"{cut} sleeps cut short");
    return 0;
  }
}
