using System.Runtime.CompilerServices;

// A thread that waits, three calls below where it starts.
static class Sleeps {
  public static void Run(int milliseconds) {
    var sleeper = new Thread(() => Deliver(milliseconds)) { Name = "sleeper" };
    sleeper.Start();
    sleeper.Join();
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Deliver(int milliseconds) => Poll(milliseconds);

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Poll(int milliseconds) => Thread.Sleep(milliseconds);
}

// Threads that call and call when the program ends.
static class Unfinished {
  static long calls;

  public static void Run(int threads) {
    for (int i = 0; i < threads; i++) new Thread(Spin) { IsBackground = true }.Start();
    Thread.Sleep(300);
  }

  static void Spin() {
    while (true) Step();
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Step() => Interlocked.Increment(ref calls);
}
