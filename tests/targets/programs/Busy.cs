using System.Runtime.CompilerServices;

// Two loops without calls, and a leaf without a loop that is called from a loop: what a profiler that samples only at
// safepoints gives to the wrong method. Fixed work.
static class Busy {
  public static void Run(int threads, int rounds) {
    var workers = Enumerable.Range(0, threads).Select(i => new Thread(() => Work(rounds)) { Name = $"busy {i}" }).ToList();
    workers.ForEach(worker => worker.Start());
    workers.ForEach(worker => worker.Join());
  }

  static double Work(int rounds) {
    double sum = 0;
    // Lengths vary, so that no sampler's period can fall into step with the rounds.
    var random = new Random(1);
    for (int i = 0; i < rounds; i++) {
      sum += LoopOne(random.Next(500_000, 1_500_000)) + LoopTwo(random.Next(500_000, 1_500_000));
      sum += CallsLeaf(random.Next(50_000, 150_000));
    }
    return sum;
  }

  [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
  static double LoopOne(int n) {
    double x = 0.5;
    for (int i = 0; i < n; i++) x = x * 1.0000001 + 0.0000001;
    return x;
  }

  [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
  static double LoopTwo(int n) {
    double x = 1.5;
    for (int i = 0; i < n; i++) x = x * 0.9999999 + 0.0000002;
    return x;
  }

  [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
  static double CallsLeaf(int n) {
    double x = 2;
    for (int i = 0; i < n; i++) x = Leaf(x);
    return x;
  }

  [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
  static double Leaf(double x) {
    x = 3.0 / x; x = 3.1 / x; x = 3.2 / x; x = 3.3 / x; x = 3.4 / x;
    x = 3.5 / x; x = 3.6 / x; x = 3.7 / x; x = 3.8 / x; x = 3.9 / x;
    return x > 1e6 ? 2 : x < 1e-6 ? 2 : x;
  }
}
