// Deep stacks.
using System.Runtime.CompilerServices;

namespace Exits;

static class Depth {
  const int Deep = 100_000;

  static int Down(int n) => n == 0 ? 0 : 1 + Down(n - 1);
  static int DownAndThrow(int n) => n == 0 ? throw new Refusal("bottom") : 1 + DownAndThrow(n - 1);

  [MethodImpl(MethodImplOptions.NoInlining)]
  public static int Overflow(int n) => 1 + Overflow(n + 1) + Math.Abs(n);

  public static void Run() {
    int reached = 0, caught = 0;
    var thread = new Thread(() => {
      reached = Down(Deep);
      try {
        DownAndThrow(1000);
      } catch (Refusal) {
        caught = 1;
      }
    }, 256 << 20);
    thread.Start();
    thread.Join();
    Known.Says($"{reached} {caught}");
    Known.Calls("Exits.Depth.Down", Deep + 1);
    Known.Calls("Exits.Depth.DownAndThrow", 1001, exception: 1001);
  }
}
