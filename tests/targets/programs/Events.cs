using System.Runtime.CompilerServices;

// `count` exceptions of one type and half as many of another, caught in different methods.
static class Exceptions {
  public static void Run(int count) {
    for (int i = 0; i < count; i++) Catcher();
    for (int i = 0; i < count / 2; i++) OtherCatcher();
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Catcher() {
    try { Thrower(); } catch (FormatException) { }
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void OtherCatcher() {
    try { throw new Refusal(); } catch (Refusal) { }
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Thrower() => throw new FormatException("expected");

  // Each with a message of its own, but for one class that makes its up, and one with a field of that name.
  public static void ThrowEach(int count) {
    for (int i = 0; i < count; i++) {
      try { throw new ArgumentException($"number {i}"); } catch (ArgumentException) { }
      try { throw new Refusal(); } catch (Refusal) { }
      try { throw new Named("Zoë saw\n🐟" + new string('€', 300)); } catch (Named) { }
    }
  }

  sealed class Refusal : Exception;
  sealed class Named(string text) : Exception(text) {
    readonly string _message = "not this";
    public override string ToString() => _message;
  }
}

// How large the parts of the heap are after a collection, as the program itself is told: of generations, large objects,
// pinned ones.
static class Heap {
  public static void Run() {
    var kept = new List<object>();
    for (int i = 0; i < 5; i++) {
      for (int j = 0; j < 10_000; j++) kept.Add(new byte[100]);
      kept.Add(new byte[2_000_000]);
      kept.Add(GC.AllocateArray<byte>(300_000, pinned: true));
      GC.Collect(2, GCCollectionMode.Forced, blocking: true, compacting: true);
      GCMemoryInfo info = GC.GetGCMemoryInfo(GCKind.FullBlocking);
      Console.WriteLine(string.Join(' ', info.GenerationInfo.ToArray().Select(part => part.SizeAfterBytes)));
    }
    GC.KeepAlive(kept);
  }
}

// `count` blocking collections of each generation.
static class Collections {
  public static void Run(int count) {
    for (int generation = 0; generation <= 2; generation++) {
      for (int i = 0; i < count; i++) GC.Collect(generation, GCCollectionMode.Forced, blocking: true);
    }
  }
}

// `count` threads at once, `rounds` times: each computes, sleeps (a system call that the samples interrupt) and ends.
static class Threads {
  public static void Run(int count, int rounds) {
    int slept = 0;
    for (int round = 0; round < rounds; round++) {
      var threads = Enumerable.Range(0, count).Select(i => new Thread(() => {
        Spin(2_000_000);
        Thread.Sleep(5);
        Interlocked.Increment(ref slept);
      }) { Name = $"worker {i}" }).ToList();
      threads.ForEach(thread => thread.Start());
      threads.ForEach(thread => thread.Join());
    }
    Console.WriteLine($"{slept} threads");
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static long Spin(long steps) {
    long x = 1;
    for (long i = 0; i < steps; i++) x = x * 6364136223846793005 + 1442695040888963407;
    return x;
  }
}

static class Async {
  public static async Task Run(int rounds) {
    long sum = 0;
    for (int i = 0; i < rounds; i++) sum += await ComputeAsync(1_000_000 + i);
    Console.WriteLine(sum != 0);
  }

  static async Task<long> ComputeAsync(int steps) {
    await Task.Yield();
    long x = 1;
    for (int i = 0; i < steps; i++) x = x * 6364136223846793005 + i;
    return x;
  }
}

// All of it, without end: for tests that kill.
static class Churn {
  public static void Run() {
    Console.WriteLine("ready");
    for (int i = 0; ; i++) {
      Exceptions.Run(10);
      Busy.Run(2, 1);
      var garbage = new byte[100_000];
      GC.KeepAlive(garbage);
      if (i % 10 == 0) GC.Collect(0);
    }
  }
}
