// Methods with loops that are replaced while they run, and that are to be inlined elsewhere just before.
using System.Runtime.CompilerServices;
using System.Runtime.Loader;

namespace Stress;

public static class Replaced {
  [MethodImpl(MethodImplOptions.AggressiveInlining)]
  static long Counted(int rounds, Func<int, long> amid) {
    long sum = amid(0);
    for (int i = 0; i < rounds; i++) {
      sum += amid(i) + (i % 3 == 0 ? i : 1);
    }
    return sum;
  }

  [MethodImpl(MethodImplOptions.AggressiveInlining)]
  static long Nested(int rounds, Func<int, long> amid) {
    long sum = amid(1);
    for (int i = 0; i < 3; i++) {
      for (int k = i; k < rounds; k++) {
        sum += i == 0 ? amid(k) : i ^ k;
      }
    }
    return sum;
  }

  [MethodImpl(MethodImplOptions.AggressiveInlining)]
  static long Chosen(int rounds, Func<int, long> amid) {
    long sum = amid(2);
    int left = rounds;
    do {
      switch (left % 4) {
        case 0: sum += amid(rounds - left); break;
        case 1: sum ^= left; continue;
        case 2: sum += 2; break;
      }
    } while (--left > 0);
    return sum;
  }

  [MethodImpl(MethodImplOptions.AggressiveInlining)]
  static long Walked<T>(T[] items, Func<int, long> amid) {
    long sum = amid(3);
    foreach (T item in items) {
      sum += item is null ? 1 : amid((int)sum & 7);
    }
    return sum;
  }

  // Optimized at once, so that the four are to be inlined while each of them runs.
  [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
  static long CallsCounted(Func<int, long> amid) => Counted(5, amid);
  [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
  static long CallsNested(Func<int, long> amid) => Nested(5, amid);
  [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
  static long CallsChosen(Func<int, long> amid) => Chosen(5, amid);
  [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
  static long CallsWalked(Func<int, long> amid) => Walked(["a", "b"], amid);

  static long Plain(int number) => number & 1;

  public const int Methods = 4;

  public static long RunInContext(int number) {
    // The first call of each comes between its first compilation and the loop, where it is replaced.
    static Func<int, long> inlined(Func<Func<int, long>, long> caller) {
      long calls = 0;
      return i => calls++ % 3 == 0 ? caller(Plain) : i;
    }
    return number + Counted(20, inlined(CallsCounted)) + Nested(20, inlined(CallsNested)) +
           Chosen(20, inlined(CallsChosen)) + Walked(new[] { "a", "b", "c", "d", "e", "f" }, inlined(CallsWalked));
  }

  // So many copies of this assembly, on two threads, while others throw and catch: of each copy all methods are new.
  public static int Run(string[] args) {
    int copies = Tools.Number(args, 0, 25);
    long sum = 0;
    int ran = 0;
    Tools.BesidesWork(() => Tools.Together(2, thread => {
      for (int i = 0; i < copies; i++) {
        var context = new AssemblyLoadContext($"copy {i} of {thread}", isCollectible: i % 2 == 0);
        Type type = context.LoadFromAssemblyPath(typeof(Replaced).Assembly.Location).GetType("Stress.Replaced")!;
        Interlocked.Add(ref sum, (long)type.GetMethod(nameof(RunInContext))!.Invoke(null, [i])!);
        Interlocked.Add(ref ran, Methods);
        Throw(i);
      }
    }));
    Console.WriteLine($"{ran} methods, {sum}");
    return 0;
  }

  static void Throw(int number) {
    for (int i = 0; i < 20; i++) {
      try {
        Refuse(number + i);
      } catch (InvalidOperationException) {
      } catch (ArgumentException) when (i >= 0) {
      }
    }
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Refuse(int number) =>
      throw (number % 2 == 0 ? new InvalidOperationException() : new ArgumentException());
}
