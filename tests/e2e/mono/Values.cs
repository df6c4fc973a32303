// The methods of tests/targets/values that Mono 6 and its compiler have too.
using System;
using System.Runtime.CompilerServices;

class Values {
  readonly int start;
  Values(int start) { this.start = start; }

  [MethodImpl(MethodImplOptions.NoInlining)] public static bool Numbers(bool b, char c, int i, long l, double d) { return b; }
  [MethodImpl(MethodImplOptions.NoInlining)] public static string Text(string a, string b) { return a + "!"; }
  [MethodImpl(MethodImplOptions.NoInlining)] public static int Increment(ref int value) { return ++value; }
  [MethodImpl(MethodImplOptions.NoInlining)] public static (int, int) Pair((int, int) pair) { return (pair.Item2, pair.Item1); }
  [MethodImpl(MethodImplOptions.NoInlining)] public static T Generic<T>(T value) { return value; }
  [MethodImpl(MethodImplOptions.NoInlining)] public static void Nothing() { }
  [MethodImpl(MethodImplOptions.NoInlining)] public int Instance(int more) { return start + more; }

  public struct Point {
    public int X, Y;
    [MethodImpl(MethodImplOptions.NoInlining)] public int Sum() { return X + Y; }
  }

  public struct Twin<T> {
    public T A, B;
    [MethodImpl(MethodImplOptions.NoInlining)] public int Total(int more) { return more; }
  }

  static void Main() {
    int five = 5;
    Numbers(true, 'A', -7, 1L << 40, 2.5);
    Text("hello", null);
    Increment(ref five);
    Pair((1, 2));
    Generic(42);
    Generic("text");
    Generic((int?)null);
    Nothing();
    new Values(9).Instance(3);
    new Point { X = 1, Y = 2 }.Sum();
    new Twin<byte> { A = 1, B = 2 }.Total(7);
    new Twin<string> { A = "a", B = "b" }.Total(8);
    Console.WriteLine("done " + five);
  }
}
