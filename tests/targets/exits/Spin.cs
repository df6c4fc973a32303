// Eight threads in and out of methods of all kinds until the time is over; every round must give the same.
using System.Diagnostics;

namespace Exits;

interface IStep {
  long Next(long x);
}
sealed class Odd : IStep {
  public long Next(long x) => x * 3 + 1;
}
sealed class Even : IStep {
  public long Next(long x) => x / 2;
}

static class Spin {
  static readonly IStep odd = new Odd(), even = new Even();

  static long Collatz(long x, int depth) => x == 1 || depth == 0 ? depth : Collatz((x % 2 == 0 ? even : odd).Next(x), depth - 1);
  static T Same<T>(T value) => value;
  static int Refuse(int i) => i % 64 == 0 ? throw new Refusal("spin") : i;
  static int Careful(int i) {
    try {
      return Refuse(i);
    } catch (Refusal) {
      return 1;
    } finally {
      Same(i);
    }
  }
  static IEnumerable<string> Words(int n) {
    for (int i = 0; i < n; i++) yield return i.ToString();
  }
  static async Task<int> Later(int i) {
    await Task.Yield();
    return Same(i);
  }
  static long Loop(int n) {
    long sum = 0;
    for (int i = 1; i < n; i++) sum += Careful(Around.Of(i)) + (i % 16 == 0 ? Collatz(i, 500) : 0);
    return sum;
  }
  static long Round() => Loop(3_000) + Same(Words(50)).Sum(word => Same(word).Length) + Waits.Pool.Result(() => Later(7));

  public static int Run(double seconds) {
    long expected = Round();
    long rounds = 0, wrong = 0;
    double gap = 0;
    var clock = Stopwatch.StartNew();
    void Work() {
      while (clock.Elapsed.TotalSeconds < seconds) {
        if (Round() != expected) Interlocked.Increment(ref wrong);
        Interlocked.Increment(ref rounds);
      }
    }
    // The longest that a thread which does nothing but look at the clock was kept from it.
    void Watch() {
      double last = 0;
      for (double now = 0; now < seconds; last = now) {
        Thread.Sleep(1);
        now = clock.Elapsed.TotalSeconds;
        gap = Math.Max(gap, now - last);
      }
    }
    var threads = Enumerable.Range(0, 8).Select(_ => new Thread(Work)).Append(new Thread(Watch)).ToArray();
    foreach (Thread thread in threads) thread.Start();
    foreach (Thread thread in threads) thread.Join();
    Console.Error.WriteLine($"{rounds} rounds, {gap * 1000:F0} ms at most without a look at the clock");
    Console.WriteLine($"{expected} {(rounds > 0 ? "some" : "no")} rounds, {wrong} wrong");
    return wrong == 0 ? 0 : 1;
  }
}
