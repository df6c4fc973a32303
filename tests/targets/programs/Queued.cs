using System.Runtime.CompilerServices;

// More threads than processors, each of which works for some milliseconds and naps for one, again and again: what a nap
// takes longer than it has to is the time until its thread gets a processor.
static class Queued {
  public static void Run(int threads, int rounds) {
    var workers = Enumerable.Range(0, threads).Select(i => new Thread(() => Work(rounds)) { Name = $"queued {i}" }).ToList();
    workers.ForEach(worker => worker.Start());
    workers.ForEach(worker => worker.Join());
  }

  static void Work(int rounds) {
    for (int i = 0; i < rounds; i++) {
      Spin(2_000_000);
      Nap();
    }
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Nap() => Thread.Sleep(1);

  [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
  static double Spin(int n) {
    double x = 0.5;
    for (int i = 0; i < n; i++) x = x * 1.0000001 + 0.0000001;
    return x;
  }
}
