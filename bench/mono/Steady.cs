// Calls and objects in a loop, for their cost on Mono: Steady.exe call|allocate MILLIONS prints nanoseconds each.
using System;
using System.Diagnostics;
using System.Runtime.CompilerServices;

class Item {
  public Item Next;
}

static class Steady {
  static Item last;

  [MethodImpl(MethodImplOptions.NoInlining)]
  static int Callee(int n) { return n + 1; }

  static void Call(long count) {
    int n = 0;
    for (long i = 0; i < count; i++) n = Callee(n);
    if (n == 7) Console.WriteLine(n);
  }

  static void Allocate(long count) {
    for (long i = 0; i < count; i++) last = new Item();
  }

  static void Main(string[] args) {
    long count = long.Parse(args[1]) * 1000000;
    Action<long> work = Call;
    if (args[0] == "allocate") work = Allocate;
    work(count / 10);
    var watch = Stopwatch.StartNew();
    work(count);
    Console.WriteLine("ns: " + (watch.Elapsed.TotalMilliseconds * 1e6 / count).ToString("F2", System.Globalization.CultureInfo.InvariantCulture));
  }
}
