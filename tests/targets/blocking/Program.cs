// Threads that wait: blocking NAME [ARGS…]. Prints what each wait returned and whether it lasted as long as it should,
// so that a test sees that nothing ended it early.
using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Blocking;

static unsafe class Program {
  static int Main(string[] args) {
    switch (args[0]) {
      case "native":
        var library = NativeLibrary.Load(args[1]);
        return ((delegate* unmanaged<int>)NativeLibrary.GetExport(library, "run_blocking_calls"))();
      case "managed": Waits.RunAll(); return 0;
      case "after-work": AfterWork.Run(int.Parse(args[1])); return 0;
      case "many": Many.Run(int.Parse(args[1]), int.Parse(args[2])); return 0;
      case "moving": Moving.Run(int.Parse(args[1]), int.Parse(args[2])); return 0;
      case "deep": Deep.Run(int.Parse(args[1]), int.Parse(args[2]), int.Parse(args[3])); return 0;
      default: return 2;
    }
  }

  // Uses the processor for so long.
  public static double Compute(double milliseconds) {
    double x = 0.5;
    for (var watch = Stopwatch.StartNew(); watch.Elapsed.TotalMilliseconds < milliseconds;) {
      for (int i = 0; i < 1000; i++) x = x * 1.0000001 + 0.0000001;
    }
    return x;
  }
}
