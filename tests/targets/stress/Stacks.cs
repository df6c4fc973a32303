// Native code on stacks with little room, on threads of the runtime's and on others, while they are sampled.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Stress;

static class Stacks {
  [DllImport("stress")] static extern nuint stress_stacks_minimum();
  [DllImport("stress")] static extern int stress_stacks_thread(nuint size, int milliseconds);
  [DllImport("stress")] static extern int stress_stacks_almost_full(nuint left, int milliseconds);
  [DllImport("stress")] static extern int stress_stacks_almost_full_foreign(nuint left, int milliseconds);
  [DllImport("stress")] static extern int stress_stacks_coroutine(nuint size, int milliseconds);
  [DllImport("stress")] static extern int stress_stacks_by_hand(nuint size, int milliseconds);

  const int Milliseconds = 300;

  static void OnThread(Action run, int stack = 0) => Tools.Together(1, _ => run(), stack);

  // Down to where the runtime says that little is left.
  [MethodImpl(MethodImplOptions.NoInlining)]
  static int GoDeep(int depth) =>
      RuntimeHelpers.TryEnsureSufficientExecutionStack() ? GoDeep(depth + 1) + 1 : (int)(Tools.Work(3000) % 2);

  public static int Run(string[] args) {
    int size = Tools.Number(args, 1, 0);
    switch (args[0]) {
      case "minimum":
        for (int i = 0; i < 4; i++) {
          Console.WriteLine($"written below: {stress_stacks_thread(stress_stacks_minimum(), 100)}");
        }
        break;
      case "almost-full":
        OnThread(() => Console.WriteLine($"{stress_stacks_almost_full((nuint)size, Milliseconds)}"), 512 * 1024);
        break;
      case "almost-full-foreign":
        Console.WriteLine($"{stress_stacks_almost_full_foreign((nuint)size, Milliseconds)}");
        break;
      case "coroutine":
        OnThread(() => Console.WriteLine($"written below: {stress_stacks_coroutine((nuint)size, Milliseconds)}"));
        break;
      case "by-hand":
        OnThread(() => Console.WriteLine($"written below: {stress_stacks_by_hand((nuint)size, Milliseconds)}"));
        break;
      case "managed":
        for (int i = 0; i < 4; i++) {
          OnThread(() => Console.WriteLine($"deep {GoDeep(0) > 10}"), size);
        }
        break;
    }
    return 0;
  }
}
