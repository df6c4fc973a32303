// Every kind of frame that the runtime's compiler makes, each with a call in it that ends in Truth.Here: frames TURNS.
// Frames that nobody made: frames forge LIBRARY.
using System.Buffers;
using System.Linq.Expressions;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Text.RegularExpressions;

if (args[0] == "forge") return Forged.Run(args[1]);
int turns = int.Parse(args[0]);
var ways = new (string Name, Action Run)[] {
  ("small methods", Small.Begin),
  ("tail calls", Tails.Begin),
  ("generic classes", () => { Box<int>.Begin(1); Box<string>.Begin("a"); Box<object>.Begin("b"); }),
  ("generic methods", () => { Generic.Begin(1); Generic.Begin("a"); Generic.Begin(2.0); }),
  ("delegates", Delegates.Begin),
  ("interfaces", Interfaces.Begin),
  ("virtual methods", Virtuals.Begin),
  ("loops", Loops.Begin),
  ("catch", Handlers.InCatch),
  ("finally", Handlers.InFinally),
  ("finally after throw", Handlers.InFinallyAfterThrow),
  ("filter", Handlers.InFilter),
  ("nested catch", Handlers.Nested),
  ("throwing", Throwing.Begin),
  ("stackalloc", Stackalloc.Begin),
  ("big frames", Big.Begin),
  ("structs returned", Structs.Begin),
  ("async", () => Async.Begin().GetAwaiter().GetResult()),
  ("dynamic methods", Dynamics.Begin),
  ("library callbacks", Library.Begin),
  ("native callbacks", Native.Begin),
  ("switches", Switches.Begin),
  ("never returning", Endless.Begin),
};
for (int turn = 0; turn < turns; turn++) {
  Truth.Turns = turn;
  foreach (var (name, run) in ways) {
    Truth.Way = name;
    run();
  }
}
Console.WriteLine(Truth.Report() == 0 ? "all right" : "not all right");
return 0;

static class Small {
  static int sink;

  [MethodImpl(MethodImplOptions.NoInlining)] public static void Begin() { sink = Alpha(1); }
  [MethodImpl(MethodImplOptions.NoInlining)] static int Alpha(int n) => Beta(n + 1) + n;
  [MethodImpl(MethodImplOptions.NoInlining)] static int Beta(int n) => Gamma(n, n * 2, n * 3) * 31;
  [MethodImpl(MethodImplOptions.NoInlining)] static int Gamma(int a, int b, int c) { int d = Delta(a, b); return d + a * b + c; }
  [MethodImpl(MethodImplOptions.NoInlining)] static int Delta(int a, int b) { Truth.Here(); return a - b; }
}

static class Tails {
  [MethodImpl(MethodImplOptions.NoInlining)] public static void Begin() { First(3); }
  [MethodImpl(MethodImplOptions.NoInlining)] static int First(int n) => Second(n + 1);
  [MethodImpl(MethodImplOptions.NoInlining)] static int Second(int n) => Third(n * 2, n);
  [MethodImpl(MethodImplOptions.NoInlining)] static int Third(int a, int b) { Truth.Here(); return a + b; }
}

class Box<T> {
  [MethodImpl(MethodImplOptions.NoInlining)] public static void Begin(T value) { new Box<T>().Instance(value); GC.KeepAlive(value); }
  [MethodImpl(MethodImplOptions.NoInlining)] int Instance(T value) => Static(value) + typeof(T).Name.Length;
  [MethodImpl(MethodImplOptions.NoInlining)] static int Static(T value) => Of<T[]>(value) + 1;
  [MethodImpl(MethodImplOptions.NoInlining)] static int Of<U>(T value) { Truth.Here(); return typeof(U) == typeof(T) ? 1 : 0; }
}

static class Generic {
  [MethodImpl(MethodImplOptions.NoInlining)] public static void Begin<T>(T value) { Inner(value); GC.KeepAlive(value); }
  [MethodImpl(MethodImplOptions.NoInlining)] static T Inner<T>(T value) { T copy = Most(value); return copy; }
  [MethodImpl(MethodImplOptions.NoInlining)] static T Most<T>(T value) { Truth.Here(); return value; }
}

static class Delegates {
  static readonly Func<int, int> ofStatic = Static;
  static readonly Func<int, int> ofInstance = new Held().Instance;
  static readonly Func<int, int> closure = Closure(3);
  static Action? many;

  [MethodImpl(MethodImplOptions.NoInlining)] public static void Begin() {
    ofStatic(1);
    ofInstance(2);
    closure(3);
    many ??= (Action)Once + Twice;
    many();
    Small(ofStatic);
  }
  [MethodImpl(MethodImplOptions.NoInlining)] static int Small(Func<int, int> what) => what(2) + 1;
  [MethodImpl(MethodImplOptions.NoInlining)] static int Static(int n) { Truth.Here(); return n; }
  [MethodImpl(MethodImplOptions.NoInlining)] static void Once() { Truth.Here(); Truth.Spin(1); }
  [MethodImpl(MethodImplOptions.NoInlining)] static void Twice() { Truth.Spin(2); Truth.Here(); Truth.Spin(2); }
  static Func<int, int> Closure(int by) => n => { Truth.Here(); return n * by; };
  class Held {
    int field = 3;
    [MethodImpl(MethodImplOptions.NoInlining)] public int Instance(int n) { Truth.Here(); return n + field; }
  }
}

interface IShape { int Sides(int n); }
class Square : IShape { [MethodImpl(MethodImplOptions.NoInlining)] public int Sides(int n) { Truth.Here(); return 4; } }
class Circle : IShape { [MethodImpl(MethodImplOptions.NoInlining)] public int Sides(int n) => Own(n) + 1; int Own(int n) { Truth.Here(); return n; } }
struct Line(int length) : IShape { [MethodImpl(MethodImplOptions.NoInlining)] public int Sides(int n) { Truth.Here(); return length + n; } }

static class Interfaces {
  static readonly IShape[] shapes = [new Square(), new Circle(), new Line(3), new Square()];
  [MethodImpl(MethodImplOptions.NoInlining)] public static void Begin() { foreach (IShape shape in shapes) Ask(shape); }
  [MethodImpl(MethodImplOptions.NoInlining)] static int Ask(IShape shape) => shape.Sides(3) + 1;
}

abstract class Base { public abstract int Value(int n); [MethodImpl(MethodImplOptions.NoInlining)] public int Outer(int n) => Value(n) + 1; }
class One : Base { [MethodImpl(MethodImplOptions.NoInlining)] public override int Value(int n) { Truth.Here(); return 1; } }
class Two : Base { [MethodImpl(MethodImplOptions.NoInlining)] public override int Value(int n) => Deep(n) - 1; [MethodImpl(MethodImplOptions.NoInlining)] int Deep(int n) { Truth.Here(); return n; } }

static class Virtuals {
  static readonly Base[] all = [new One(), new Two()];
  [MethodImpl(MethodImplOptions.NoInlining)] public static void Begin() { foreach (Base one in all) one.Outer(2); }
}

static class Loops {
  static int sink;
  [MethodImpl(MethodImplOptions.NoInlining)] public static void Begin() { sink += Count(60); sink += Nested(5); }
  [MethodImpl(MethodImplOptions.NoInlining)] static int Count(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) {
      sum += i * n;
      if (i % 20 == 19) sum += Small(i);
    }
    return sum;
  }
  [MethodImpl(MethodImplOptions.NoInlining)] static int Nested(int n) {
    long a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7;
    for (int i = 0; i < n; i++) {
      for (int j = 0; j < 10; j++) { a += b * i; b ^= c + j; c -= d; d += e; e ^= f; f += g; g -= a; }
      Small(i);
    }
    return (int)(a + b + c + d + e + f + g);
  }
  [MethodImpl(MethodImplOptions.NoInlining)] static int Small(int n) { Truth.Here(); return n + 1; }
}

static class Handlers {
  static int sink;
  [MethodImpl(MethodImplOptions.NoInlining)] static void Throw(int n) { if (n > 0) throw new InvalidOperationException(); sink = n; }
  [MethodImpl(MethodImplOptions.NoInlining)] static int Small(int n) => Leaf(n) + 1;
  [MethodImpl(MethodImplOptions.NoInlining)] static int Leaf(int n) { Truth.Here(); return n * 2; }

  [MethodImpl(MethodImplOptions.NoInlining)] public static void InCatch() {
    int here = sink & 7;
    try { Throw(1); } catch (InvalidOperationException) { sink = Small(here); }
  }
  [MethodImpl(MethodImplOptions.NoInlining)] public static void InFinally() {
    int here = sink & 7;
    try { Throw(0); } finally { sink = Small(here); }
  }
  [MethodImpl(MethodImplOptions.NoInlining)] public static void InFinallyAfterThrow() {
    try { Inner(); } catch (InvalidOperationException) { }
  }
  [MethodImpl(MethodImplOptions.NoInlining)] static void Inner() {
    int here = sink & 7;
    try { Throw(1); } finally { sink = Small(here); }
  }
  [MethodImpl(MethodImplOptions.NoInlining)] public static void InFilter() {
    int here = sink & 7;
    try { Throw(1); } catch (InvalidOperationException) when (Small(here) > -1) { sink = here; }
  }
  [MethodImpl(MethodImplOptions.NoInlining)] public static void Nested() {
    int here = sink & 7;
    try { Throw(1); } catch (InvalidOperationException) {
      try { Throw(2); } catch (InvalidOperationException) { sink = Small(here); }
      sink = Small(here);
    }
  }
}

static class Throwing {
  [MethodImpl(MethodImplOptions.NoInlining)] public static void Begin() {
    try { Middle(1); } catch (ArgumentException) { }
    try { Always(2); } catch (ArgumentException) { }
  }
  [MethodImpl(MethodImplOptions.NoInlining)] static int Middle(int n) => Always(n) + 1;
  // What runs while a frame is about to throw stands on one from which no way leads to a return.
  [MethodImpl(MethodImplOptions.NoInlining)] static int Always(int n) => throw Made(n);
  [MethodImpl(MethodImplOptions.NoInlining)] static Exception Made(int n) { Truth.Here(); return new ArgumentException(); }
}

static unsafe class Stackalloc {
  [MethodImpl(MethodImplOptions.NoInlining)] public static void Begin() { Variable(17); Fixed(); Variable(5000); }
  [MethodImpl(MethodImplOptions.NoInlining)] static int Variable(int n) { byte* memory = stackalloc byte[n]; memory[n - 1] = 3; return Use(memory) + memory[n - 1]; }
  [MethodImpl(MethodImplOptions.NoInlining)] static int Fixed() { Span<long> memory = stackalloc long[8]; memory[3] = 4; fixed (long* at = memory) return Use((byte*)at); }
  [MethodImpl(MethodImplOptions.NoInlining)] static int Use(byte* memory) { Truth.Here(); return memory[0]; }
}

static class Big {
  [InlineArray(2000)] struct Room { long first; }
  [InlineArray(100)] struct Chamber { long first; }
  [MethodImpl(MethodImplOptions.NoInlining)] public static void Begin() { Large(3); Medium(4); }
  [MethodImpl(MethodImplOptions.NoInlining)] static long Large(int n) { Room room = default; room[n] = n; Use(ref room[n * 2]); return room[n]; }
  [MethodImpl(MethodImplOptions.NoInlining)] static long Medium(int n) { Chamber room = default; room[n] = n; Use(ref room[n * 2]); return room[n]; }
  [MethodImpl(MethodImplOptions.NoInlining)] static void Use(ref long value) { Truth.Here(); value++; }
}

static class Structs {
  struct Wide { public long A, B, C, E; public Wide(long a, long b) { A = B = a; C = E = b; } }
  [MethodImpl(MethodImplOptions.NoInlining)] public static void Begin() { Wide wide = Make(3); GC.KeepAlive(wide.A + Narrow(2).X); }
  [MethodImpl(MethodImplOptions.NoInlining)] static Wide Make(int n) => Filled(n, n + 1);
  [MethodImpl(MethodImplOptions.NoInlining)] static Wide Filled(int a, int b) { Truth.Here(); return new Wide(a, b); }
  record struct Pair(double X, long Y);
  [MethodImpl(MethodImplOptions.NoInlining)] static Pair Narrow(int n) { Pair made = Other(n); return made with { X = made.X * 2 }; }
  [MethodImpl(MethodImplOptions.NoInlining)] static Pair Other(int n) { Truth.Here(); return new Pair(n, n); }
}

static class Async {
  [MethodImpl(MethodImplOptions.NoInlining)] public static async Task Begin() { await Step(1); await Later(); }
  static async Task<int> Step(int n) { Leaf(n); await Task.CompletedTask; Leaf(n); return n; }
  static async Task Later() { Leaf(1); await Done; Leaf(2); }
  static readonly ValueTask Done = default;
  [MethodImpl(MethodImplOptions.NoInlining)] static int Leaf(int n) { Truth.Here(); return n + 1; }
}

static class Dynamics {
  static Func<int, int>? made;
  static Func<int, int>? compiled;
  [MethodImpl(MethodImplOptions.NoInlining)] public static void Begin() {
    made ??= Make();
    made(3);
    if (Truth.Turns < 30) Make()(4);  // freed and replaced by others
    compiled ??= Compile();
    compiled(2);
  }
  static Func<int, int> Make() {
    var method = new DynamicMethod("Made", typeof(int), [typeof(int)], typeof(Dynamics).Module);
    ILGenerator il = method.GetILGenerator();
    il.Emit(OpCodes.Ldarg_0);
    il.Emit(OpCodes.Call, typeof(Dynamics).GetMethod(nameof(Leaf))!);
    il.Emit(OpCodes.Ldc_I4_1);
    il.Emit(OpCodes.Add);
    il.Emit(OpCodes.Ret);
    return method.CreateDelegate<Func<int, int>>();
  }
  static Func<int, int> Compile() {
    ParameterExpression n = Expression.Parameter(typeof(int));
    return Expression.Lambda<Func<int, int>>(Expression.Add(Expression.Call(typeof(Dynamics).GetMethod(nameof(Leaf))!, n), n), n).Compile();
  }
  [MethodImpl(MethodImplOptions.NoInlining)] public static int Leaf(int n) { Truth.Here(); return n + 2; }
}

static class Library {
  static int count;
  static readonly int[] numbers = [5, 3, 9, 1];
  static readonly Dictionary<string, int> words = new(new Comparer()) { ["a"] = 1, ["b"] = 2, ["c"] = 3 };
  static readonly Regex regex = new("[a-z]+", RegexOptions.Compiled);
  static readonly Lazy<int>[] lazies = [new(() => Leaf(1))];

  [MethodImpl(MethodImplOptions.NoInlining)] public static void Begin() {
    count = 0;
    Array.Sort((int[])numbers.Clone(), (a, b) => { Leaf(a); return a - b; });
    count = 0;
    numbers.Where(n => Leaf(n) > 0).Select(n => Leaf(n)).OrderBy(n => Leaf(n)).ToList();
    count = 0;
    words.TryGetValue("b", out int _);
    regex.Replace("some words here", match => { Leaf(match.Length); return "x"; });
    count = 0;
    new List<int>(numbers).ForEach(n => Leaf(n));
    count = 0;
    string.Create(3, 1, (span, n) => { Leaf(n); span.Fill('x'); });
    new Lazy<int>(() => Leaf(1)).Value.ToString();
    Enumerable.Range(0, 2).Aggregate((a, b) => Leaf(a));
  }
  [MethodImpl(MethodImplOptions.NoInlining)] static int Leaf(int n) { if (count++ < 3) Truth.Here(); return n; }
  class Comparer : IEqualityComparer<string> {
    public bool Equals(string? a, string? b) { Leaf(1); return a == b; }
    public int GetHashCode(string text) { Leaf(2); return text.Length; }
  }
}

static unsafe class Native {
  [UnmanagedCallersOnly] static int Compare(int* a, int* b) { Leaf(*a); return *a - *b; }
  [DllImport("libc", EntryPoint = "qsort")] static extern void Sort(int* values, nint count, nint size, delegate* unmanaged<int*, int*, int> compare);
  [MethodImpl(MethodImplOptions.NoInlining)] public static void Begin() { int* values = stackalloc int[2] { 2, 1 }; Sort(values, 2, 4, &Compare); }
  [MethodImpl(MethodImplOptions.NoInlining)] static int Leaf(int n) { Truth.Here(); return n; }
}

static class Switches {
  [MethodImpl(MethodImplOptions.NoInlining)] public static void Begin() { for (int i = 0; i < 8; i++) Choose(i); }
  [MethodImpl(MethodImplOptions.NoInlining)] static int Choose(int n) {
    switch (n) {
      case 0: return Leaf(n) + 1;
      case 1: Leaf(n); goto case 3;
      case 2: return Leaf(n) * Leaf(n + 1);
      case 3: while (Leaf(n) < 5) n++; return n;
      case 4: throwIf(n > 5); return Leaf(n);
      case 5: return n + Leaf(n) switch { 1 => 2, 2 => 5, 3 => 9, 4 => Leaf(3), 5 => 11, _ => Leaf(9) };
      default: return 0;
    }
  }
  static void throwIf(bool it) { if (it) throw new InvalidOperationException(); }
  [MethodImpl(MethodImplOptions.NoInlining)] static int Leaf(int n) { Truth.Here(); return n; }
}

// A loop that only an exception ends.
static class Endless {
  class Enough : Exception;
  static int left;
  [MethodImpl(MethodImplOptions.NoInlining)] public static void Begin() {
    left = 3;
    try { Run(1); } catch (Enough) { }
  }
  [MethodImpl(MethodImplOptions.NoInlining)] static void Run(int n) { for (;;) n += Step(n); }
  [MethodImpl(MethodImplOptions.NoInlining)] static int Step(int n) { Truth.Here(); if (--left == 0) throw new Enough(); return n; }
}

static unsafe class Forged {
  public static int Run(string library) {
    var forge = (delegate* unmanaged<nint*, int, int, int>)NativeLibrary.GetExport(NativeLibrary.Load(library), "oriel_test_forge");
    const int Words = 16384;
    nint* stack = stackalloc nint[Words];
    int found = 0;
    for (int seed = 0; seed < 300; seed++) found = forge(stack, Words, seed);
    Console.WriteLine(found > 1000 ? "lives" : "found no code");
    return 0;
  }
}
