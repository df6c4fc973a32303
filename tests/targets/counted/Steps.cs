using System.Runtime.CompilerServices;

// Threads that count for themselves what they do.
static class Steps {
  static long even, odd, inner;

  public static void Run(int threads, int steps) {
    var all = Enumerable.Range(0, threads).Select(i => new Thread(() => Work(i, steps))).ToList();
    all.ForEach(thread => thread.Start());
    all.ForEach(thread => thread.Join());
    Console.WriteLine($"even {even} odd {odd} inner {inner}");
  }

  static void Work(int first, int steps) {
    for (int i = 0; i < steps; i++) Step(first + i);
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Step(int n) {
    if (n % 2 == 0) Even(n);
    else Odd();
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Even(int n) {
    Interlocked.Increment(ref even);
    for (int i = 0; i < n % 5; i++) Inner();
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Odd() => Interlocked.Increment(ref odd);

  static void Inner() => Interlocked.Increment(ref inner);
}
