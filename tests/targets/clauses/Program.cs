// Exceptions on ways that are known: which clauses run for which exception, in which order, and whom they leave. Each
// step says its name first; collections move the exceptions on their way.
using System.Runtime.CompilerServices;

// With an argument: over and over until that file is there, and once more.
while (args.Length > 0 && !File.Exists(args[0])) {
  Round();
  Thread.Sleep(20);
}
Round();
Console.WriteLine("done");

static void Round() {
  Step("caught", Clauses.Caught);
  Step("second catch", Clauses.SecondCatch);
  Step("filtered", Clauses.Filtered);
  Step("two finallys", Clauses.TwoFinallys);
  Step("one fault", Clauses.Fault);
  Step("replaced", Clauses.Replaced);
  Step("caught within", Clauses.CaughtWithin);
  Step("thrown in a filter", Clauses.ThrownInFilter);
  Step("thrown anew", Clauses.ThrownAnew);
  Step("of a static constructor", Clauses.OfStaticConstructor);
  Step("of the processor", Clauses.OfProcessor);
  Step("of the runtime", Clauses.OfRuntime);
}

static void Step(string name, Action action) {
  Clauses.Begin(name);
  action();
}

class FirstException : Exception;
class SecondException : Exception;
class ThirdException : Exception;

static class Clauses {
  const MethodImplOptions Alone = MethodImplOptions.NoInlining;
  static int done;

  [MethodImpl(Alone)] public static void Begin(string name) => done += name.Length;
  [MethodImpl(Alone)] static void First() => throw new FirstException();
  [MethodImpl(Alone)] static void Second() => throw new SecondException();
  [MethodImpl(Alone)] static void Third() => throw new ThirdException();
  [MethodImpl(Alone)] static void Touch() {
    done++;
    GC.Collect(0);
  }

  [MethodImpl(Alone)] public static void Caught() {
    try { First(); } catch (FirstException) { Touch(); }
  }

  [MethodImpl(Alone)] public static void SecondCatch() {
    try { First(); } catch (SecondException) { done++; } catch (FirstException) { Touch(); }
  }

  [MethodImpl(Alone)] static bool No() { Touch(); return done < 0; }
  [MethodImpl(Alone)] static bool Yes() { Touch(); return done >= 0; }
  [MethodImpl(Alone)] public static void Filtered() {
    try { First(); } catch (Exception) when (No()) { done--; } catch (Exception) when (Yes()) { Touch(); }
  }

  [MethodImpl(Alone)] static void InnerFinallys() {
    try {
      try { First(); } finally { Touch(); }
    } finally { done--; Touch(); }
  }
  [MethodImpl(Alone)] public static void TwoFinallys() {
    try { InnerFinallys(); } catch (Exception) { done++; }
  }

  static IEnumerable<int> Numbers() {
    try {
      yield return 1;
      First();
      yield return 2;
    } finally { Touch(); }
  }
  [MethodImpl(Alone)] public static void Fault() {
    try {
      foreach (int number in Numbers()) done += number;
    } catch (FirstException) { Touch(); }
  }

  [MethodImpl(Alone)] static void Replaces() {
    try { First(); } finally { Touch(); Second(); }
  }
  [MethodImpl(Alone)] static void AroundReplaces() {
    try { Third(); } finally {
      try { Replaces(); } catch (SecondException) { Touch(); }
      Touch();
    }
  }
  [MethodImpl(Alone)] public static void Replaced() {
    try { AroundReplaces(); } catch (Exception) { Touch(); }
  }

  [MethodImpl(Alone)] static void CatchesWithin() {
    try { First(); } finally {
      try { Second(); } catch (SecondException) { Touch(); }
    }
  }
  [MethodImpl(Alone)] static void AroundCatchesWithin() {
    try { CatchesWithin(); } finally { Touch(); }
  }
  [MethodImpl(Alone)] public static void CaughtWithin() {
    try { AroundCatchesWithin(); } catch (FirstException) { Touch(); }
  }

  [MethodImpl(Alone)] static bool Throws() { Second(); return true; }
  [MethodImpl(Alone)] static void AroundThrowingFilter() {
    try {
      try { First(); } catch (Exception) when (Throws()) { done--; }
    } finally { Touch(); }
  }
  [MethodImpl(Alone)] public static void ThrownInFilter() {
    try { AroundThrowingFilter(); } catch (FirstException) { Touch(); }
  }

  [MethodImpl(Alone)] static void CatchesAndThrowsAnew() {
    try { First(); } catch (FirstException) { Touch(); throw; } finally { Touch(); }
  }
  [MethodImpl(Alone)] public static void ThrownAnew() {
    try { CatchesAndThrowsAnew(); } catch (FirstException) { Touch(); }
  }

  static class Broken {
    public static int Value = 1;
    static Broken() => Clauses.First();
  }
  [MethodImpl(Alone)] static int ReadBroken() => Broken.Value;
  [MethodImpl(Alone)] public static void OfStaticConstructor() {
    try {
      try { First(); } finally {
        try { done += ReadBroken(); } catch (TypeInitializationException) { Touch(); }
        Touch();
      }
    } catch (FirstException) { Touch(); }
  }

  [MethodImpl(Alone)] static int Length(string? text) => text!.Length;
  [MethodImpl(Alone)] static void InFinallyOfNull() {
    try { done += Length(null); } finally {
      try { done += 1 / (done - done); } catch (DivideByZeroException) { Touch(); }
      Touch();
    }
  }
  [MethodImpl(Alone)] public static void OfProcessor() {
    try {
      try { InFinallyOfNull(); } finally { Touch(); }
    } catch (NullReferenceException) { Touch(); }
  }

  [MethodImpl(Alone)] static string Cast(object thing) => (string)thing;
  [MethodImpl(Alone)] static void InFinallyOfCast() {
    try { done += Cast(new int[1]).Length; } finally {
      try { Activator.CreateInstance(typeof(Clauses)); } catch (MissingMethodException) { Touch(); }
      try { Array.Copy(new int[1], new int[1], 2); } catch (ArgumentException) { Touch(); }
      Touch();
    }
  }
  [MethodImpl(Alone)] public static void OfRuntime() {
    try {
      try { InFinallyOfCast(); } finally { Touch(); }
    } catch (InvalidCastException) { Touch(); }
  }
}
