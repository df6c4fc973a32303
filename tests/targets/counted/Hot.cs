using System.Diagnostics;
using System.Runtime.CompilerServices;

// All of it runs again and again, for so many milliseconds. What it says at the end has the places of an exception, and
// of a call that was open all the while.
static class Hot {
  public static string Run(int milliseconds) {
    Within(() => "");
    return Within(() => Rounds(milliseconds));
  }

  static string Rounds(int milliseconds) {
    long sum = 0, rounds = 0;
    for (var watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < milliseconds; rounds++) sum += Round((int)(rounds % 7));
    return $"{rounds > 0} {sum >= rounds}\n{Failed(Part)}\n{Environment.StackTrace}";
  }

  // Until a file is there.
  public static void Until(string path) {
    while (!File.Exists(path)) Round(5);
    Console.WriteLine(File.ReadAllText(path));
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static int Round(int n) {
    int sum = 1;
    for (int i = 0; i < 1000 + n; i++) sum += (i % 3) switch { 0 => Add(i, 1), 1 => Part(i, 1), _ => 2 } & 3;
    return sum;
  }

  static int Add(int a, int b) => a + b;

  // Inlined too, and may throw.
  static int Part(int a, int b) {
    int doubled = a + a;
    int part = doubled / b;
    return part + 1;
  }

  static string Failed(Func<int, int, int> part) {
    try {
      return part(1, 0).ToString();
    } catch (DivideByZeroException e) {
      return e.ToString();
    }
  }

  static string Within(Func<string> inner) {
    string first = "within ";
    first += inner();
    return first;
  }
}
