using System.Diagnostics;
using System.Runtime.CompilerServices;

// All of it runs again and again, for so many milliseconds.
static class Hot {
  public static string Run(int milliseconds) {
    long sum = 0, rounds = 0;
    for (var watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < milliseconds; rounds++) sum += Round((int)(rounds % 7));
    return $"{rounds > 0} {sum >= rounds}";
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static int Round(int n) {
    int sum = 1;
    for (int i = 0; i < 1000 + n; i++) sum += (i % 3) switch { 0 => Add(i, 1), 1 => Add(1, i), _ => 2 } & 3;
    return sum;
  }

  static int Add(int a, int b) => a + b;
}
