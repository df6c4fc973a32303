// Exceptions on every path out of a method.
using System.Runtime.CompilerServices;

namespace Exits;

sealed class Refusal(string message) : Exception(message);

static class Unwinding {
  const int Rounds = 100;
  static int finallyRuns, filterRuns;

  [MethodImpl(MethodImplOptions.NoInlining)]
  static int Throws(int i) => throw new Refusal($"no {i}");

  static int Chain(int depth) {
    try {
      return depth == 0 ? Throws(depth) : Chain(depth - 1);
    } finally {
      finallyRuns++;
    }
  }
  static int CatchesChain() {
    try {
      return Chain(9);
    } catch (Refusal) {
      return 1;
    }
  }

  static bool FilterSaysNo(Exception e) { filterRuns++; return e.Message.Length == 0; }
  static bool FilterThrows(Exception e) { filterRuns++; throw new InvalidOperationException(e.Message); }
  static int Filtered() {
    try {
      try {
        return Throws(1);
      } catch (Refusal e) when (FilterSaysNo(e)) {
        return 1;
      } catch (Refusal e) when (FilterThrows(e)) {
        return 2;
      }
    } catch (Refusal e) when (e.Message == "no 1") {
      return 3;
    }
  }

  static void Rethrows() {
    try {
      Throws(2);
    } catch (Refusal) {
      throw;
    }
  }
  static void ThrowsAnother() {
    try {
      Throws(3);
    } catch (Refusal e) {
      throw new InvalidOperationException("another", e);
    }
  }
  static void ThrowsInFinally() {
    try {
      Throws(4);
    } finally {
      throw new InvalidOperationException("instead");
    }
  }
  static void CatchesInFinally() {
    try {
      Throws(5);
    } finally {
      try {
        Throws(6);
      } catch (Refusal) {
        finallyRuns++;
      }
    }
  }
  static int Caught(Action action) {
    try {
      action();
      return 0;
    } catch (Exception e) when (e is Refusal or InvalidOperationException) {
      return 1;
    }
  }

  static class Unready {
    public static readonly int Value;
    static Unready() { Value = Throws(7); }
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Use() => Value;
  }
  static int UsesUnready() {
    try {
      return Unready.Use();
    } catch (TypeInitializationException e) when (e.InnerException is Refusal) {
      return 1;
    }
  }

  sealed class Finalized {
    public static int Count;
    ~Finalized() {
      try {
        Throws(8);
      } catch (Refusal) {
        Interlocked.Increment(ref Count);
      }
    }
  }
  [MethodImpl(MethodImplOptions.NoInlining)]
  static void MakeFinalized() {
    for (int i = 0; i < Rounds; i++) _ = new Finalized();
  }
  // On a thread that ends, so that no stack keeps the last of them alive.
  static void WaitForFinalizers() {
    var thread = new Thread(MakeFinalized);
    thread.Start();
    thread.Join();
    while (Volatile.Read(ref Finalized.Count) < Rounds) {
      GC.Collect();
      GC.WaitForPendingFinalizers();
    }
  }

  static void Sleeps() => Thread.Sleep(Timeout.Infinite);
  static void Interrupted() {
    try {
      Sleeps();
    } catch (ThreadInterruptedException) {
      finallyRuns++;
    }
  }
  static void Interrupt() {
    for (int i = 0; i < 20; i++) {
      var thread = new Thread(Interrupted);
      thread.Start();
      thread.Interrupt();
      thread.Join();
    }
  }

  static int Divides(int by) => 100 / by;
  static int Dereferences(int[]? array) => array![0];
  static int Hardware() {
    int caught = 0;
    try { Divides(0); } catch (DivideByZeroException) { caught++; }
    try { Dereferences(null); } catch (NullReferenceException) { caught++; }
    try { Dereferences([]); } catch (IndexOutOfRangeException) { caught++; }
    return caught;
  }

  public static void Run() {
    int sum = 0;
    for (int i = 0; i < Rounds; i++) {
      sum += CatchesChain() + Filtered() + Caught(Rethrows) + Caught(ThrowsAnother) + Caught(ThrowsInFinally);
      sum += Caught(CatchesInFinally) + UsesUnready() + Hardware();
    }
    WaitForFinalizers();
    Interrupt();
    Known.Says($"{sum} {finallyRuns} {filterRuns} {Finalized.Count}");
    Known.Calls("Exits.Unwinding.Throws", Rounds * 8 + 1, exception: Rounds * 8 + 1);
    Known.Calls("Exits.Unwinding.Chain", Rounds * 10, exception: Rounds * 10);
    Known.Calls("Exits.Unwinding.CatchesChain", Rounds);
    Known.Calls("Exits.Unwinding.FilterSaysNo", Rounds);
    Known.Calls("Exits.Unwinding.FilterThrows", Rounds, exception: Rounds);
    Known.Calls("Exits.Unwinding.Filtered", Rounds);
    Known.Calls("Exits.Unwinding.Rethrows", Rounds, exception: Rounds);
    Known.Calls("Exits.Unwinding.ThrowsAnother", Rounds, exception: Rounds);
    Known.Calls("Exits.Unwinding.ThrowsInFinally", Rounds, exception: Rounds);
    Known.Calls("Exits.Unwinding.CatchesInFinally", Rounds, exception: Rounds);
    Known.Calls("Exits.Unwinding.Caught", Rounds * 4);
    Known.Calls("Exits.Unwinding.Unready..cctor", 1, exception: 1);
    Known.Calls("Exits.Unwinding.Unready.Use", 0);
    Known.Calls("Exits.Unwinding.UsesUnready", Rounds);
    Known.Calls("Exits.Unwinding.Finalized.Finalize", Rounds);
    Known.Calls("Exits.Unwinding.Sleeps", 20, exception: 20);
    Known.Calls("Exits.Unwinding.Interrupted", 20);
    Known.Calls("Exits.Unwinding.Divides", Rounds, exception: Rounds);
    Known.Calls("Exits.Unwinding.Dereferences", Rounds * 2, exception: Rounds * 2);
  }
}
