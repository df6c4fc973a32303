// What a native host calls: see tests/e2e/host.
using System.Runtime.CompilerServices;

Console.WriteLine("to be called by a native host");

public static class Embedded {
  [MethodImpl(MethodImplOptions.NoInlining)] static int Step(int number) => number + 1;

  // Takes as many steps as its second argument says, and collects once.
  public static int Work(IntPtr nothing, int steps) {
    int number = 0;
    for (int i = 0; i < steps; i++) number = Step(number);
    GC.Collect();
    return number;
  }
}
