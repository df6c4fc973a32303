// Methods whose hot lines are known: lines [ROUNDS]. What a test expects stands in tests/e2e/recording/lines_test.py, which finds
// the lines by their comments.
using System.Runtime.CompilerServices;

namespace Lines;

public static class Program {
  static ulong state = 1;

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Burn(int rounds) {
    for (int i = 0; i < rounds; i++) {
      state = state * 6364136223846793005UL / (state % 7 + 1) + 1442695040888963407UL;  // burns
    }
  }

  static void InLambda(int rounds) {
    Action<int> burn = n => {
      ulong x = 1;
      for (int i = 0; i < n; i++) x = x * 31 / (x % 5 + 1) + 7;  // burns in a lambda
      state += x;
    };
    burn(rounds);
  }

  static void InLocalFunction(int rounds) {
    state += Local(rounds);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static ulong Local(int n) {
      ulong x = 1;
      for (int i = 0; i < n; i++) {
        x = x * 37 / (x % 3 + 1) + 11;  // burns in a local function
      }
      return x;
    }
  }

  static async Task InAsync(int rounds) {
    await Task.Yield();
    ulong x = 1;
    for (int i = 0; i < rounds; i++) {
      x = x * 41 / (x % 9 + 1) + 13;  // burns in an async method
    }
    state += x;
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static byte[] Allocate(int size) {
    if (size < 0) throw new ArgumentException("negative");
    var made = new byte[size];  // allocates
    made[0] = 1;
    return made;
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static int Throw(int rounds) {
    int caught = 0;
    for (int i = 0; i < rounds; i++) {
      try {
        throw new InvalidOperationException("again");  // throws
      } catch (InvalidOperationException) {
        caught++;
      }
    }
    return caught;
  }

  public static async Task Main(string[] args) {
    int rounds = args.Length > 0 ? int.Parse(args[0]) : 40;
    for (int i = 0; i < rounds; i++) {
      Burn(1_000_000);  // calls what burns
      InLambda(1_000_000);
      InLocalFunction(1_000_000);
      await InAsync(1_000_000);
      for (int j = 0; j < 10_000; j++) Allocate(200);
      Throw(20);
    }
    Console.WriteLine(state != 0 ? "done" : "");
  }
}
