// Stack traces with the lines of this file.
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Exits;

static class Traces {
  [MethodImpl(MethodImplOptions.NoInlining)]
  static int Inner(int i) {
    if (i > 3) {
      i++;
      throw new Refusal("here");
    }
    i += 2;
    return i;
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static int Middle(int i) {
    int sum = 0;
    for (int at = 0; at < i; at++) {
      sum +=
          Inner(at);
    }
    return sum;
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static int Outer(int i) {
    try {
      return Middle(i) + 1;
    } catch (Refusal e) when (e.Message == "here") {
      Known.Says(e);
      return 1;
    }
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static string Own() {
    var trace = new StackTrace(true);
    string text = $"{trace.GetFrame(0)!.GetMethod()!.Name} {trace.GetFrame(0)!.GetFileLineNumber()}";
    return text + $" {trace.GetFrame(1)!.GetMethod()!.Name} {trace.GetFrame(1)!.GetFileLineNumber()}";
  }

  public static void Run() {
    for (int i = 0; i < 3; i++) Outer(10);
    Known.Says(Own());
    Known.Calls("Exits.Traces.Inner", 15, exception: 3);
    Known.Calls("Exits.Traces.Middle", 3, exception: 3);
    Known.Calls("Exits.Traces.Outer", 3);
  }
}
