using System.Diagnostics;
using System.Runtime.CompilerServices;

// Works, and about each millisecond throws an exception with a number, and then says the number and the time. Until it is
// killed.
static class Ticking {
  sealed class Tick(string message) : Exception(message);

  public static void Run() {
    var output = Console.Out;
    var clock = Stopwatch.StartNew();
    for (long number = 1; ; number++) {
      while (clock.ElapsedTicks * 1000 / Stopwatch.Frequency < number) Work();
      try {
        Throw(number);
      } catch (Tick) {
      }
      output.WriteLine($"{number} {clock.Elapsed.TotalMicroseconds:F0}");
      output.Flush();
    }
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Work() {
    for (int i = 0; i < 2000; i++) Thread.SpinWait(1);
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Throw(long number) => throw new Tick(number.ToString());
}
