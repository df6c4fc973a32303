// Iterators, await, loops: code that is left and come back to.
namespace Exits;

static class Flow {
  const int Rounds = 60;
  static int disposed;

  static IEnumerable<int> Numbers(int n) {
    try {
      for (int i = 0; i < n; i++) yield return i;
    } finally {
      disposed++;
    }
  }
  static IEnumerable<int> Breaks() {
    yield return 1;
    throw new Refusal("enough");
  }
  static int TakesThree() {
    int sum = 0;
    foreach (int i in Numbers(100)) {
      if (i == 3) break;
      sum += i;
    }
    return sum;
  }
  static int MeetsTheEnd() {
    int sum = 0;
    try {
      foreach (int i in Breaks()) sum += i;
    } catch (Refusal) {
      sum += 10;
    }
    return sum;
  }

  static async Task<int> Fails(int i) {
    await Task.Yield();
    if (i % 2 == 0) throw new Refusal("even");
    return i;
  }
  static async Task<int> Awaits(int i) {
    try {
      return await Fails(i);
    } catch (Refusal) {
      return -1;
    } finally {
      await Task.Yield();
    }
  }
  static async ValueTask<int> Cancelled(int i) {
    using var source = new CancellationTokenSource();
    Task waiting = Task.Delay(Timeout.Infinite, source.Token);
    source.Cancel();
    try {
      await waiting;
      return 0;
    } catch (OperationCanceledException) {
      return i;
    }
  }
  static async IAsyncEnumerable<int> Stream(int n) {
    for (int i = 0; i < n; i++) {
      await Task.Yield();
      yield return i;
    }
  }
  static async Task<int> All() {
    int sum = 0;
    for (int i = 0; i < Rounds; i++) sum += await Awaits(i) + await Cancelled(i);
    await foreach (int i in Stream(10)) sum += i;
    return sum;
  }

  static int Step(int i) => i & 3;
  // One call, long enough for on-stack replacement, in and out of a try.
  static long Hot(int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) {
      try {
        sum += Step(i);
      } catch (Refusal) {
        sum = 0;
      }
    }
    for (int i = 0; i < n; i++) sum += Step(i);
    return sum;
  }
  static long HotThenThrows(int n) {
    long sum = 0;
    for (int i = 0; i < n; i++) sum += Step(i);
    throw new Refusal($"{sum}");
  }
  static string CatchesHot(int n) {
    try {
      return $"{HotThenThrows(n)}";
    } catch (Refusal e) {
      return e.Message;
    }
  }

  public static void Run() {
    int sum = 0;
    for (int i = 0; i < Rounds; i++) sum += TakesThree() + MeetsTheEnd();
    Known.Says($"{sum} {disposed} {Waits.Pool.Result(All)} {Hot(400_000)} {CatchesHot(300_000)}");
    // With the calls of their state machines; those of what awaits depend on who is first.
    Known.Calls("Exits.Flow.Numbers", Rounds + Rounds * 4);
    Known.Calls("Exits.Flow.Breaks", Rounds + Rounds * 2, exception: Rounds);
    Known.Calls("Exits.Flow.TakesThree", Rounds);
    Known.Calls("Exits.Flow.MeetsTheEnd", Rounds);
    Known.Calls("Exits.Flow.Fails", Rounds + Rounds * 2);
    Known.Calls("Exits.Flow.Cancelled", Rounds + Rounds);
    Known.Calls("Exits.Flow.Step", 2 * 400_000 + 300_000);
    Known.Calls("Exits.Flow.Hot", 1);
    Known.Calls("Exits.Flow.HotThenThrows", 1, exception: 1);
  }
}
