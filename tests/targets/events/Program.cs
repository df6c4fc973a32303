// Raises what tests/coreclr/events_test.cc looks for; prints what it did, so that the test sees its output unchanged.
//
//   events [threads] [gc] [exceptions] [unload] [late] [inspect]     each named part, in the order given
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;

foreach (string part in args) {
  switch (part) {
    case "threads": Threads.Run(); break;
    case "gc": Collections.Run(); break;
    case "exceptions": Exceptions.Run(); break;
    case "unload": Unloads.Run(); break;
    case "late": Late.Run(); break;
    case "inspect": Late.Signal("inspect"); break;
  }
  Console.WriteLine(part);
}

static class Threads {
  public static void Run() {
    var named = new Thread(() => Thread.Sleep(1)) { Name = "worker-ä" };
    named.Start();
    named.Join();
    var unnamed = new Thread(() => Thread.CurrentThread.Name = "named-late");
    unnamed.Start();
    unnamed.Join();
  }
}

static class Collections {
  public static void Run() {
    GC.Collect(0);
    GC.Collect(1);
    GC.Collect(2, GCCollectionMode.Forced, blocking: true);
    GC.Collect(2, GCCollectionMode.Forced, blocking: false);
    var kept = new List<byte[]>();
    for (int i = 0; i < 200_000; i++) {
      var garbage = new byte[2000];
      if (i % 100 == 0) kept.Add(garbage);
    }
    GC.KeepAlive(kept);
  }
}

static class Exceptions {
  public static void Run() {
    try { Outer(); } catch (InvalidOperationException) { }
    try { Thrower(); } catch (ArgumentException e) when (Matches(e)) { }
    try { Replaced(); } catch (Exception) { }
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Outer() {
    try {
      Inner();
    } finally {
      Finally();
    }
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Inner() => throw new InvalidOperationException("expected");

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Finally() { }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Thrower() => throw new ArgumentException("expected");

  // An exception in a finally block takes the place of the one that was on its way.
  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Replaced() {
    try {
      Thrower();
    } finally {
      Inner();
    }
  }

  static bool Matches(Exception e) => e.Message == "expected";
}

static class Unloads {
  public static void Run() {
    WeakReference context = LoadAndRun();
    for (int i = 0; i < 10 && context.IsAlive; i++) Clean();
    Console.WriteLine(context.IsAlive ? "still loaded" : "unloaded");
    CallDynamic();
    for (int i = 0; i < 3; i++) Clean();
  }

  // This program once more, in a context of its own that goes away again.
  [MethodImpl(MethodImplOptions.NoInlining)]
  static WeakReference LoadAndRun() {
    var context = new AssemblyLoadContext("passing", isCollectible: true);
    Assembly copy = context.LoadFromAssemblyPath(typeof(Unloads).Assembly.Location);
    MethodInfo passing = copy.GetType("Passing")!.GetMethod("Visit")!;
    passing.Invoke(null, [1]);
    context.Unload();
    return new WeakReference(context);
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void CallDynamic() {
    var method = new DynamicMethod("Fleeting", typeof(string), [typeof(string), typeof(List<int>)]);
    ILGenerator il = method.GetILGenerator();
    il.Emit(OpCodes.Ldarg_0);
    il.Emit(OpCodes.Ret);
    method.CreateDelegate<Func<string, List<int>, string>>()("x", []);
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Clean() {
    GC.Collect();
    GC.WaitForPendingFinalizers();
  }
}

public static class Passing {
  [MethodImpl(MethodImplOptions.NoInlining)]
  public static int Visit(int x) => Other.Twice(x);

  static class Other {
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Twice(int x) => 2 * x;
  }
}

// Compiles a method before and one after a thread gets the name at which the test's module takes its callbacks away.
static class Late {
  public static void Run() {
    Before();
    Signal("take-away");
    Thread.Sleep(300);  // the engine's own thread has to see it
    After();
  }

  // Has the test's module act on a thread's name.
  public static void Signal(string name) {
    var signal = new Thread(() => Thread.Sleep(1)) { Name = name };
    signal.Start();
    signal.Join();
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Before() { }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void After() { }
}
