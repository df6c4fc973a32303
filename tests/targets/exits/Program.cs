// Every way into and out of a method, a known number of times. Prints what came of it and, for each method whose calls
// are known, "expect ENTER LEAVE TAIL EXCEPTION NAME".
//
//   exits [PART…]         all parts, or these
//   exits late [PART…]    the same, two seconds after the start
//   exits overflow        ends by a stack overflow
//   exits spin SECONDS    eight threads calling all the time, results checked
namespace Exits;

static class Program {
  static readonly (string Name, Action Run)[] Parts = [
    ("unwinding", Unwinding.Run), ("native", NativeFrames.Run), ("shapes", Shapes.Run), ("dispatch", Dispatch.Run),
    ("flow", Flow.Run), ("depth", Depth.Run), ("tail", TailCalls.Run), ("contexts", Contexts.Run), ("traces", Traces.Run),
  ];

  static int Main(string[] args) {
    if (args is ["overflow"]) return Depth.Overflow(1);
    if (args is ["spin", var seconds]) return Spin.Run(double.Parse(seconds));
    if (args is ["late", .. var parts]) {
      Thread.Sleep(6000);
      args = parts;
    }
    foreach (var (name, run) in Parts) {
      if (args.Length != 0 && !args.Contains(name)) continue;
      Console.WriteLine(name);
      run();
    }
    return 0;
  }
}

static class Known {
  // By default every call returns.
  public static void Calls(string name, long enter, long exception = 0, long tail = 0) =>
      Console.WriteLine($"expect {enter} {enter - exception - tail} {tail} {exception} {name}");
  public static void Says(object what) => Console.WriteLine($"  {what}");
}
