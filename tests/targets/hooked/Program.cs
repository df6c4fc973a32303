// What enter, leave and tail-call hooks may disturb: arguments and results of every kind, exceptions, tail calls, async,
// generics, threads. hooked: prints what came of it. hooked tokens: the tokens of the methods of Known.
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.Intrinsics;

switch (args.FirstOrDefault())
{
    case "tokens":
        foreach (var method in typeof(Known).GetMethods(BindingFlags.Static | BindingFlags.Public))
            Console.WriteLine($"{method.Name} {method.MetadataToken:x8}");
        break;
    default:
        Console.WriteLine(Values.Run());
        Console.WriteLine(Flow.Run());
        break;
}

static class Known
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Short(int a, int b) => a + b;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static long Ten(int a, double b, long c, float d, byte e, double f, int g, long h, int i, double j) =>
        a + (long)b + c + (long)d + e + (long)f + g + h + i + (long)j;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static double Real(double a, float b) => a * b;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static Mixed Both(long a, double b) => new(a + 1, b + 0.5);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static Reals Two(Reals one) => new(one.B, one.A);
}

record struct Mixed(long A, double B);
record struct Reals(double A, double B);
record struct Swapped(double A, long B);
record struct Longs(long A, long B);
record struct Large(long A, long B, long C);
record struct Small(short A, byte B);

static class Values
{
    public static string Run()
    {
        var texts = new HashSet<string>();
        // Often enough for each tier, with time for the compiler in between.
        for (var round = 0; round < 40; ++round)
        {
            for (var i = 0; i < 500; ++i) texts.Add(Once(i % 2 + 1));
            Thread.Sleep(5);
        }
        return string.Join("\n", texts.Order());
    }

    static string Once(int n) => string.Join(" ", Known.Short(n, 2), Known.Ten(n, 2, 3, 4, 5, 6, 7, 8, 9, 10),
        Known.Real(n, 1.5f), Known.Both(n, 2), Known.Two(new(n, 4)), Float(n), new Swapped(n, 2) == Swap(2, n), Pair(n),
        Wide(n), Tiny(n), Money(n), V2(n), V4(n), V128(n, Vector128.Create(n, 2, 3, 4)), V256(n, Vector256.Create(1L, n, 3, 4)),
        V512(n), Text(n), Reference(new int[n], 0).Length, Big(n), Generic<string>("a" + n), Generic(n), Nothing(n), Nullable(n));

    [MethodImpl(MethodImplOptions.NoInlining)] static float Float(float a) => a / 4;
    [MethodImpl(MethodImplOptions.NoInlining)] static Swapped Swap(long a, double b) => new(b, a);
    [MethodImpl(MethodImplOptions.NoInlining)] static Longs Pair(long a) => new(a, ~a);
    [MethodImpl(MethodImplOptions.NoInlining)] static Large Wide(long a) => new(a, a + 1, a + 2);
    [MethodImpl(MethodImplOptions.NoInlining)] static Small Tiny(int a) => new((short)a, 3);
    [MethodImpl(MethodImplOptions.NoInlining)] static decimal Money(decimal a) => a + 0.25m;
    [MethodImpl(MethodImplOptions.NoInlining)] static System.Numerics.Vector2 V2(float a) => new(a, a + 1);
    [MethodImpl(MethodImplOptions.NoInlining)] static System.Numerics.Vector4 V4(float a) => new(a, a + 1, a + 2, a + 3);
    [MethodImpl(MethodImplOptions.NoInlining)] static Vector128<int> V128(int a, Vector128<int> b) => b + Vector128.Create(a, 0, 0, a);
    [MethodImpl(MethodImplOptions.NoInlining)] static Vector256<long> V256(long a, Vector256<long> b) => b * a;
    [MethodImpl(MethodImplOptions.NoInlining)] static Vector512<long> V512(long a) => Vector512.Create(a);
    [MethodImpl(MethodImplOptions.NoInlining)] static string Text(int a) => "n" + a;
    [MethodImpl(MethodImplOptions.NoInlining)] static ref readonly T Reference<T>(in T a, int _) => ref a;
    [MethodImpl(MethodImplOptions.NoInlining)] static Int128 Big(long a) => (Int128)a << 70;
    [MethodImpl(MethodImplOptions.NoInlining)] static string Generic<T>(T a) => typeof(T).Name + a;
    [MethodImpl(MethodImplOptions.NoInlining)] static int? Nullable(int a) => a > 1 ? a : null;
    [MethodImpl(MethodImplOptions.NoInlining)] static bool Nothing(int a)
    {
        Void(a);
        return true;
    }
    [MethodImpl(MethodImplOptions.NoInlining)] static void Void(int a) => GC.KeepAlive(a);
}

static class Flow
{
    public static string Run()
    {
        var tail = TailCaller();
        var sum = 0L;
        for (var i = 0; i < 1000; ++i) sum += Outer(i) + tail(i) + Implicit(i) + Deep(20);
        var threads = Enumerable.Range(0, 8).Select(_ => new Thread(() => Interlocked.Add(ref sum, Busy()))).ToList();
        threads.ForEach(thread => thread.Start());
        threads.ForEach(thread => thread.Join());
        for (var i = 0; i < 50; ++i) sum += Waits(i).GetAwaiter().GetResult();
        return $"flow {sum}";
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Outer(int n)
    {
        try
        {
            return Middle(n);
        }
        catch (InvalidOperationException)
        {
            return -n;
        }
    }
    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Middle(int n)
    {
        try
        {
            return Thrower(n) + 1;
        }
        finally
        {
            Finally(n);
        }
    }
    [MethodImpl(MethodImplOptions.NoInlining)] static void Finally(int n) => GC.KeepAlive(n);
    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Thrower(int n) => n % 10 == 0 ? throw new InvalidOperationException() : n;

    [MethodImpl(MethodImplOptions.NoInlining)] static long Deep(int n) => n == 0 ? 0 : 1 + Deep(n - 1);

    [MethodImpl(MethodImplOptions.NoInlining)] static int Implicit(int n) => Target(n + 1);
    [MethodImpl(MethodImplOptions.NoInlining)] public static int Target(int n) => n * 2;

    // An explicit tail call, which C# has no word for.
    static Func<int, int> TailCaller()
    {
        var method = new DynamicMethod("tail", typeof(int), [typeof(int)], typeof(Flow).Module, true);
        var il = method.GetILGenerator();
        il.Emit(OpCodes.Ldarg_0);
        il.Emit(OpCodes.Tailcall);
        il.Emit(OpCodes.Call, typeof(Flow).GetMethod(nameof(Target))!);
        il.Emit(OpCodes.Ret);
        return method.CreateDelegate<Func<int, int>>();
    }

    static long Busy()
    {
        var sum = 0L;
        for (var i = 0; i < 20_000; ++i) sum += Shared(i);
        return sum;
    }
    [MethodImpl(MethodImplOptions.NoInlining)] static long Shared(int n) => n % 7;

    // Suspended as often in each run: what is waited for is never there already.
    static async Task<int> Waits(int n)
    {
        await Task.Yield();
        await Task.Yield();
        return n * 3 + 1;
    }
}
