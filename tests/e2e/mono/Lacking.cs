// A method of which a parameter's type is in an assembly that is gone when the program runs, which prints what it loads.
using System;
using System.Diagnostics;

#if GONE
namespace Gone { public class Kind { } }
#elif LIBRARY
public static class Lacking {
  static long Spin(Gone.Kind kind, int ms) {
    long rounds = 0;
    for (var watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < ms;)
      for (int i = 0; i < 10000; i++) rounds = rounds * 31 + i;
    return kind == null ? rounds | 1 : 0;
  }
  public static void Run() { if (Spin(null, 500) == 0) Console.WriteLine("never"); }
}
#else
static class Program {
  static void Main() {
    AppDomain.CurrentDomain.AssemblyResolve += (sender, what) => {
      Console.WriteLine("asked for " + what.Name);
      return null;
    };
    Go();
    Console.WriteLine("done");
  }
  static void Go() { Lacking.Run(); }
}
#endif
