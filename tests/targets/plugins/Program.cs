// A program that plug-ins change while it runs: does what it reads, a line each, and says what came of it.
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Loader;

while (Console.ReadLine() is { } line)
{
    var words = line.Split(' ');
    Console.WriteLine(words[0] switch
    {
        "values" => $"{Subjects.Outer()} {Subjects.Other()}",
        "dynamic" => Dynamic.Call(int.Parse(words[1])),
        "compile" => Compilations.Many(int.Parse(words[1])),
        "unload" => Passing.Unloaded(),
        "throw" => Faults.Thrown(),
        "call" => Native.Call(words[1], words[2], int.Parse(words[3])),
        _ => "what?",
    });
}

static class Subjects
{
    // Leaf is in Middle, and both are in Outer.
    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    public static int Outer() => Middle() + 100;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static int Middle() => Leaf() + 10;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static int Leaf() => 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Other() => 5;
}

static class Dynamic
{
    public static int Call(int value)
    {
        var method = new DynamicMethod("AddedToSeven", typeof(int), [typeof(int)]);
        var code = method.GetILGenerator();
        code.Emit(OpCodes.Ldarg_0);
        code.Emit(OpCodes.Ldc_I4_7);
        code.Emit(OpCodes.Add);
        code.Emit(OpCodes.Ret);
        return method.CreateDelegate<Func<int, int>>()(value);
    }
}

// This program once more, in a context of its own that goes away again.
static class Passing
{
    public static string Unloaded()
    {
        var context = Run();
        for (var i = 0; i < 20 && context.IsAlive; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
        return context.IsAlive ? "still loaded" : "unloaded";
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static WeakReference Run()
    {
        var context = new AssemblyLoadContext("passing", isCollectible: true);
        var copy = context.LoadFromAssemblyPath(typeof(Passing).Assembly.Location);
        copy.GetType("Subjects")!.GetMethod("Other")!.Invoke(null, null);
        context.Unload();
        return new WeakReference(context);
    }
}

static class Faults
{
    public static string Thrown()
    {
        try { throw new InvalidOperationException("caught"); }
        catch (InvalidOperationException e) { return e.Message; }
    }
}

static class Native
{
    delegate int Function(int argument);

    public static int Call(string library, string function, int argument) =>
        Marshal.GetDelegateForFunctionPointer<Function>(NativeLibrary.GetExport(NativeLibrary.Load(library), function))(argument);
}

// Each instantiation over another struct is compiled by itself, on four threads at once.
static class Compilations
{
    public static int Many(int rounds)
    {
        var sum = 0;
        Parallel.For(0, 4, thread =>
        {
            var type = typeof(int);
            for (var i = 0; i < rounds; i++)
            {
                type = typeof(ValueTuple<,>).MakeGenericType(thread % 2 == 0 ? typeof(int) : typeof(long), type);
                if (i % 20 == 0) type = typeof(int);
                var made = typeof(Compilations).GetMethod(nameof(One))!.MakeGenericMethod(type).Invoke(null, null)!;
                Interlocked.Add(ref sum, (int)made);
            }
        });
        return sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int One<T>() => typeof(T).IsValueType ? 1 : 0;
}
