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

// Threads that call and call when the program ends. Each of them calls by then, on a busy machine too.
static class Unfinished {
  static long calls;

  public static void Run(int threads) {
    using var calling = new CountdownEvent(threads);
    for (int i = 0; i < threads; i++) new Thread(() => Spin(calling)) { IsBackground = true }.Start();
    calling.Wait();
    Thread.Sleep(100);
  }

  static void Spin(CountdownEvent calling) {
    Step();
    calling.Signal();
    while (true) Step();
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Step() => Interlocked.Increment(ref calls);
}
