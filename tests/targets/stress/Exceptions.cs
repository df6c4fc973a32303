// Exceptions by the ten thousand.
using System.Runtime.CompilerServices;
using System.Runtime.ExceptionServices;
using System.Runtime.InteropServices;

namespace Stress;

static class Exceptions {
  sealed class Refusal(int number) : Exception($"refused {number}") { public readonly int Number = number; }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static int Throw(int depth, int number) {
    if (depth == 0) {
      throw new Refusal(number);
    }
    try {
      return Throw(depth - 1, number) + 1;
    } finally {
      passed++;
    }
  }

  [ThreadStatic] static long passed;

  static bool Wants(Refusal refusal, int remainder) => refusal.Number % 2 == remainder;

  static int Catch(int number) {
    try {
      return Throw(number % 8, number);
    } catch (Refusal refusal) when (Wants(refusal, 0)) {
      return 1;
    } catch (Refusal refusal) {
      try {
        ExceptionDispatchInfo.Throw(refusal);
        throw;
      } catch (Exception again) {
        return again == refusal ? 2 : 100;
      }
    }
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static int ReadNull(string? text) => text!.Length;

  static int Fault(int number) {
    try {
      return number % 2 == 0 ? ReadNull(null) : number / (number - number);
    } catch (NullReferenceException) {
      return 3;
    } catch (DivideByZeroException) {
      return 4;
    }
  }

  static async Task<int> CatchLater(int number) {
    try {
      await Task.Yield();
      return Throw(2, number);
    } catch (Refusal refusal) {
      await Task.Yield();
      return refusal.Number;
    }
  }

  public static int Run(string[] args) {
    var sums = new long[2];
    Tools.Together(2, thread => {
      for (int i = 0; i < 10000; i++) {
        sums[thread] += Catch(i) + (i % 4 == 0 ? Fault(i / 4) : 0);
      }
      sums[thread] += passed;
    });
    Console.WriteLine($"caught {sums[0]} {sums[1]}");
    Console.WriteLine($"later {Task.WhenAll(Enumerable.Range(0, 1000).Select(CatchLater)).Result.Sum()}");
    try {
      Throw(5, 1);
    } catch (Refusal refusal) {
      Console.WriteLine(string.Join("\n", refusal.ToString().Split('\n').Select(line => line.Split(" in ")[0])));
    }
    return 0;
  }

  static long compared;

  [UnmanagedCallersOnly]
  static unsafe int Compare(int* a, int* b) {
    compared += Catch(*a) + Catch(*b);
    return a->CompareTo(*b);
  }

  // The exception is caught below the native frame; with "uncaught" it is not, which .NET ends the program for.
  public static unsafe int ThroughNative(string[] args) {
    int[] values = Enumerable.Range(0, 300).Select(i => i * 7919 % 301).ToArray();
    fixed (int* first = values) {
      if (args.Contains("uncaught")) {
        Libc.Sort(first, values.Length, sizeof(int), &Refuse);
      }
      for (int i = 0; i < 3; i++) {
        values.AsSpan().Reverse();
        Libc.Sort(first, values.Length, sizeof(int), &Compare);
      }
    }
    Console.WriteLine($"compared {compared}, {values[0]} {values[299]}");
    return 0;
  }

  [UnmanagedCallersOnly]
  static unsafe int Refuse(int* a, int* b) => Throw(3, 5);
}
