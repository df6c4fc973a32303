using System.Runtime.CompilerServices;

struct MadeBoxed { public int A; public override string ToString() => "boxed"; }
struct MadeBoxedPair { public object? A; public object? B; }
struct MadeBoxedInGeneric { public int A; }
struct MadeBoxedForInterface : IComparable { public int A; public int CompareTo(object? other) => A; }
struct MadeNullable { public long A; }
struct MadeNeverBoxed { public int A; }
struct MadeNeverBoxedDisposable : IDisposable { public int A; public void Dispose() => A++; }
struct MadeWithoutOverride { public int A; }
enum MadeEnum { One, Two }
enum MadeByteEnum : byte { One, Two }
class NoValue { }

static class Boxes
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Plain(int i)
    {
        Kinds.Sink = new MadeBoxed { A = i };
        Kinds.Sink = new MadeBoxedPair { A = "a" };
        IComparable comparable = new MadeBoxedForInterface { A = i };
        Kinds.Sink = comparable;
        Kinds.Sink = i;
        Kinds.Sink = (i, "tuple");
        Kinds.Sink = new MadeWithoutOverride { A = i }.GetType();  // boxes to call Object's method
        Console.Out.Write(new MadeBoxed { A = i }.ToString().Length == 0 ? "?" : "");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Nullables(int i)
    {
        MadeNullable? some = new MadeNullable { A = i }, none = null;
        Kinds.Sink = some;  // one object of MadeNullable
        Kinds.Sink = none;  // none
        Kinds.Sink = BoxOf<MadeNullable?>(some);
        Kinds.Sink = BoxOf<MadeNullable?>(none);
        Kinds.Sink = (int?)i;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void InGenerics(int i)
    {
        Kinds.Sink = BoxOf(new MadeBoxedInGeneric { A = i });
        Kinds.Sink = BoxOf("no box");
        Kinds.Sink = BoxOf(new NoValue());
        Kinds.Sink = new Holder<MadeBoxedInGeneric>().Box(default);
        Kinds.Sink = new Holder<string>().Box("no box");
        Kinds.Sink = new Holder<MadeBoxedInGeneric>().Compare(default, default);
        Kinds.Sink = Describe(new MadeNeverBoxed()).Length == 3 ? null : "";
    }

    // Tests of generic values, which the compiler folds without a box.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Folded(int i)
    {
        bool all = IsNull(new MadeNeverBoxed()) | IsString(new MadeNeverBoxed()) | IsNotNull(new MadeNeverBoxed { A = i });
        Dispose(new MadeNeverBoxedDisposable());
        all |= IsNull("text") | IsString("text");
        if (all && As<MadeNeverBoxed, int>(new MadeNeverBoxed()) == 12) Kinds.Sink = null;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Enums(int i)
    {
        Kinds.Sink = (MadeEnum)(i & 1);
        Kinds.Sink = MadeEnum.One.ToString();
        Kinds.Sink = MadeByteEnum.Two.HasFlag(MadeByteEnum.One);
        Kinds.Sink = Enum.Parse(typeof(MadeByteEnum), "Two");
        Kinds.Sink = Enum.GetValues<MadeEnum>();
        Kinds.Sink = Enum.ToObject(typeof(MadeEnum), 1);
    }

    [MethodImpl(MethodImplOptions.NoInlining)] static object? BoxOf<T>(T value) => value;
    [MethodImpl(MethodImplOptions.NoInlining)] static bool IsNull<T>(T value) => value == null;
    [MethodImpl(MethodImplOptions.NoInlining)] static bool IsNotNull<T>(T value) => value is not null;
    [MethodImpl(MethodImplOptions.NoInlining)] static bool IsString<T>(T value) => value is string;
    [MethodImpl(MethodImplOptions.NoInlining)] static string Describe<T>(T value) => typeof(T) == typeof(MadeNeverBoxed) ? "yes" : value!.ToString()!;
    [MethodImpl(MethodImplOptions.NoInlining)] static void Dispose<T>(T value) where T : IDisposable => value.Dispose();
    [MethodImpl(MethodImplOptions.NoInlining)] static int As<T, U>(T value) => value is U ? 1 : 2;

    class Holder<T>
    {
        [MethodImpl(MethodImplOptions.NoInlining)] public object? Box(T value) => value;
        [MethodImpl(MethodImplOptions.NoInlining)] public object Compare(T a, T b) => EqualityComparer<T>.Default.Equals(a, b);
    }
}
