using System.Reflection;
using System.Runtime.CompilerServices;

class MadeByActivator { public MadeByActivator() { } public MadeByActivator(int i) { } }
class MadeByActivatorOfT { }
struct MadeStructByActivator { public int A; }
class MadeByClone : ICloneable { public int A; public object Clone() => MemberwiseClone(); }
class MadeInHelper { }
class MadeUninitialized { public MadeUninitialized() => throw new InvalidOperationException(); }
class MadeByInvoke { public MadeByInvoke() { } public MadeInvoked Call(int i) => new(); }
class MadeInvoked { }
struct MadeReturned { public int A; }
class MadeButThrown { public MadeButThrown(int i) { if (i >= 0) throw new MadeException(); } }
class MadeException : Exception { }

static class Natives
{
    static readonly Type[] types = [typeof(MadeByActivator), typeof(MadeStructByActivator)];

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Activators(int i)
    {
        Kinds.Sink = Activator.CreateInstance(typeof(MadeByActivator));
        Kinds.Sink = Activator.CreateInstance(typeof(MadeByActivator), 5);
        Kinds.Sink = Activator.CreateInstance<MadeByActivatorOfT>();
        Kinds.Sink = Activator.CreateInstance(typeof(MadeStructByActivator));
        Kinds.Sink = Activator.CreateInstance(typeof(MadeGeneric<>).MakeGenericType(types[i & 1]));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Clones(int i)
    {
        Kinds.Sink = new MadeByClone { A = i }.Clone();
        Kinds.Sink = new MadeInHelper[3].Clone();
        Kinds.Sink = new int[2, 2].Clone();
        Kinds.Sink = new[] { i, 2 }.ToArray();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void ArrayHelpers(int i)
    {
        Kinds.Sink = Array.CreateInstance(typeof(MadeInHelper), 4);
        Kinds.Sink = Array.CreateInstance(typeof(MadeInHelper), 2, 3);
        Kinds.Sink = Array.CreateInstance(typeof(MadeElement), [2], [5]);
        var array = new MadeInHelper[2];
        Array.Resize(ref array, 5);
        Kinds.Sink = array;
        Kinds.Sink = GC.AllocateArray<MadeElement>(3);
        Kinds.Sink = GC.AllocateArray<int>(7, pinned: true);
        Kinds.Sink = GC.AllocateUninitializedArray<byte>(4000);
        Kinds.Sink = GC.AllocateUninitializedArray<byte>(3);
        Kinds.Sink = Array.ConvertAll([1, 2, 3], x => (long)x);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Uninitialized(int i) => Kinds.Sink = RuntimeHelpers.GetUninitializedObject(typeof(MadeUninitialized));

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Reflection(int i)
    {
        var made = typeof(MadeByInvoke).GetConstructor([])!.Invoke([]);
        Kinds.Sink = typeof(MadeByInvoke).GetMethod("Call")!.Invoke(made, [i]);
        Kinds.Sink = typeof(Natives).GetMethod("Return", BindingFlags.NonPublic | BindingFlags.Static)!.Invoke(null, [i]);
        Kinds.Sink = typeof(MadeClass).GetField("A")!.GetValue(new MadeClass { A = i });
    }

    static MadeReturned Return(int i) => new() { A = i };

    // The object is there, and nobody has it.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void ThrowingConstructors(int i)
    {
        try { Kinds.Sink = new MadeButThrown(i); } catch (MadeException) { }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void RuntimeExceptions(int i)
    {
        try { Kinds.Sink = Field(null!); } catch (NullReferenceException) { }
        try { Kinds.Sink = (string)(object)new MadeInvoked(); } catch (InvalidCastException) { }
        try { int[] three = new int[3]; three[i + 3] = 1; } catch (IndexOutOfRangeException) { }
        try { Kinds.Sink = 12 / (i - i); } catch (DivideByZeroException) { }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Field(MadeClass made) => made.A;
}
