// Exceptions that Mono makes of a processor's faults, each in a method of its own.
using System;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Threading;

static class Faults {
  [DllImport("libc")] static extern void abort();

  static string nothing;
  static int zero;

  [MethodImpl(MethodImplOptions.NoInlining)] static int Length() { return nothing.Length; }
  [MethodImpl(MethodImplOptions.NoInlining)] static int Divide() { return 10 / zero; }

  static int Main(string[] args) {
    if (args.Length == 0 || args[0] == "unhandled") Length();
    if (args[0] == "thread") { new Thread(() => Divide()).Start(); Thread.Sleep(10000); }
    if (args[0] == "abort") abort();
    int caught = 0;
    for (int i = 0; i < 6; ++i) {
      try { Length(); } catch (NullReferenceException) { ++caught; }
      try { Divide(); } catch (DivideByZeroException) { ++caught; }
    }
    Console.WriteLine(caught);
    return 0;
  }
}
