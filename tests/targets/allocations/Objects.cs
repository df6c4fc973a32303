using System.Runtime.CompilerServices;

class MadeClass { public int A; public object? B; }
class MadeGeneric<T> { public T? Value; }
sealed class MadeLarge { public Room Room; }
[InlineArray(100)] struct Room { long first_; }
class MadeFinalized { ~MadeFinalized() { } }
class MadeByT { }
struct MadeElement { public long A, B; public object? C; }

static class Objects
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Classes(int i)
    {
        Kinds.Sink = new MadeClass { A = i };
        Kinds.Sink = new MadeGeneric<int>();
        Kinds.Sink = new MadeGeneric<string>();
        Kinds.Sink = new MadeGeneric<MadeElement>();
        Kinds.Sink = new MadeLarge();
        Kinds.Sink = new MadeFinalized();
        Kinds.Sink = Make<MadeByT>();
        Kinds.Sink = new object();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static T Make<T>() where T : new() => new T();

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Arrays(int i)
    {
        Kinds.Sink = new MadeClass[i];
        Kinds.Sink = new MadeElement[3];
        Kinds.Sink = new MadeElement[2, 3];
        Kinds.Sink = new MadeClass[2, 2, 2];
        Kinds.Sink = new MadeElement[2][];
        Kinds.Sink = new int[,] { { 1, 2 }, { 3, 4 } };
        Kinds.Sink = new byte[i];
        Kinds.Sink = new long[20_000];  // large object heap
        Kinds.Sink = ArrayOf<MadeByT>(4);
        Kinds.Sink = ArrayOf<MadeElement>(4);
        Kinds.Sink = Array.Empty<MadeByT>();
        Kinds.Sink = new MadeGeneric<string>[0];
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static T[] ArrayOf<T>(int n) => new T[n];
}
