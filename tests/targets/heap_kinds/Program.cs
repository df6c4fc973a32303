// Every kind of object, made by recipe: heap_kinds [COUNT]. Prints how many there are of each of its own types and how many
// bytes they take, "type objects bytes", then "ready". Each line "storm SECONDS" of its input makes it allocate, collect, start
// children and take signals for so long, and print what came of that. It ends with its input.
using System.Diagnostics;
using System.Globalization;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Versioning;

[assembly: SupportedOSPlatform("linux")]

var count = args.Length > 0 ? int.Parse(args[0], CultureInfo.InvariantCulture) : 1000;
Kinds.Make(count);
Console.WriteLine("ready");
while (Console.ReadLine() is { } line)
    if (line.Split(' ') is ["storm", var seconds]) Storm.Run(double.Parse(seconds, CultureInfo.InvariantCulture));
Kinds.Keep();

public sealed class Small { public byte Value; }
public sealed class Large { public long A, B, C; public object? D; }
public class Base { public int A; }
public sealed class Derived : Base { public Derived? Next; public int B; }
public sealed class Box<T> { public T? Value; }
public readonly record struct Plain(int A, long B);
public record struct Holding(int Number, Small? First, Derived? Second);
public sealed class Dying { ~Dying() => GC.KeepAlive(this); }
public sealed class Loose;
public sealed class Primary;
public sealed class Secondary { public long Value; }
public sealed class Fixed { public int A; }

public static class Kinds
{
    private static readonly List<object> s_all = [];
    private static readonly List<GCHandle> s_handles = [];
    private static readonly ConditionalWeakTable<Primary, Secondary> s_table = [];
    private static readonly List<Primary> s_keys = [];

    // Bytes of an object: two words and its fields, three words at least.
    private static long Of(long fields) => Math.Max(24, (16 + fields + 7) / 8 * 8);
    // A word for the length; elements.
    private static long OfArray(long length, long element) => Math.Max(24, (24 + length * element + 7) / 8 * 8);

    private static void Add<T>(int count, long bytes, Func<int, T> make, string? name = null) where T : class
    {
        var all = new T[count];
        for (var i = 0; i < count; i++) all[i] = make(i);
        s_all.Add(all);
        Console.WriteLine($"{name ?? typeof(T).Name} {count} {count * bytes}");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Make(int count)
    {
        Add(count, Of(1), i => new Small { Value = (byte)i });
        Add(count, Of(32), _ => new Large());
        Derived? last = null;
        Add(count, Of(16), i => last = new Derived { A = i, B = i, Next = last });
        Add(count, Of(4), i => new Box<int> { Value = i }, "Box<int>");
        Add(count, Of(16), i => new Box<Plain> { Value = new Plain(i, i) }, "Box<Plain>");
        Add(count, Of(8), i => new Box<Box<int>> { Value = new Box<int>() }, "Box<Box<int>>");
        // Elements that end inside a word; references in every place of a structure; rows of rows.
        Add(count / 10, OfArray(33, 2), _ => new short[33], "short[]#33");
        Add(count / 10, OfArray(7, 16), _ => new Plain[7], "Plain[]");
        Add(count / 10, OfArray(5, 24), i => new Holding[5].With(i), "Holding[]");
        Add(count / 10, OfArray(4, 8), _ => new Derived?[4], "Derived[]");
        // Two dimensions: a length and a lower bound of each.
        Add(count / 10, OfArray(12, 8) + 16, _ => new long[3, 4], "long[,]");
        // The large object heap, and the pinned one.
        Add(5, OfArray(30_000, 16), _ => new Plain[30_000], "Plain[]#large");
        Add(5, OfArray(1000, 8), _ => GC.AllocateArray<ulong>(1000, pinned: true), "ulong[]");
        Add(count / 10, Of(0), _ => new Dying());
        for (var i = 0; i < 30; i++) s_handles.Add(GCHandle.Alloc(new Fixed(), GCHandleType.Pinned));
        Console.WriteLine($"Fixed 30 {30 * Of(4)}");
        Add(40, Of(0), _ => new Loose());
        foreach (var loose in (Loose[])s_all[^1]) s_handles.Add(GCHandle.Alloc(loose, GCHandleType.WeakTrackResurrection));
        for (var i = 0; i < 50; i++)
        {
            s_keys.Add(new Primary());
            s_table.Add(s_keys[i], new Secondary());
        }
        Console.WriteLine($"Primary 50 {50 * Of(0)}");
        Console.WriteLine($"Secondary 50 {50 * Of(8)}");
        Add(count / 10, Of(4), Collectible(), "Made");
    }

    // A type that ends with the last of its objects.
    private static Func<int, object> Collectible()
    {
        var assembly = AssemblyBuilder.DefineDynamicAssembly(new AssemblyName("Brief"), AssemblyBuilderAccess.RunAndCollect);
        var type = assembly.DefineDynamicModule("Brief").DefineType("Made", TypeAttributes.Public);
        type.DefineField("Number", typeof(int), FieldAttributes.Public);
        var made = type.CreateType();
        return _ => Activator.CreateInstance(made)!;
    }

    private static Holding[] With(this Holding[] all, int number)
    {
        all[^1] = new Holding(number, null, null);
        return all;
    }

    public static void Keep()
    {
        GC.KeepAlive(s_all);
        GC.KeepAlive(s_keys);
        foreach (var handle in s_handles) handle.Free();
    }
}

// What a program notices if anybody takes its signals, children or time away.
public static class Storm
{
    [DllImport("libc")] private static extern int getpid();
    [DllImport("libc")] private static extern int kill(int process, int signal);

    public static void Run(double seconds)
    {
        var end = Stopwatch.GetTimestamp() + (long)(seconds * Stopwatch.Frequency);
        bool IsOver() => Stopwatch.GetTimestamp() >= end;
        var allocating = new Thread[2];
        for (var i = 0; i < allocating.Length; i++)
        {
            allocating[i] = new Thread(() =>
            {
                var kept = new object?[5000];
                for (var n = 0; !IsOver(); n++) kept[(int)((uint)n * 7919 % (uint)kept.Length)] = n % 100 == 0 ? new byte[100_000] : new Large { A = n };
            });
            allocating[i].Start();
        }
        var (signals, children) = (Signals(IsOver), Children(IsOver));
        foreach (var thread in allocating) thread.Join();
        Console.WriteLine($"signals: {signals.Result}; children: {children.Result}");
    }

    // Each signal is waited for before the next one.
    private static Task<string> Signals(Func<bool> isOver) => Task.Factory.StartNew(() =>
    {
        const int Continue = 18;
        using var came = new SemaphoreSlim(0);
        using var registered = PosixSignalRegistration.Create(PosixSignal.SIGCONT, _ => came.Release());
        while (!isOver())
        {
            if (kill(getpid(), Continue) != 0) return "not sent";
            if (!came.Wait(20_000)) return "lost";
        }
        return "all came";
    }, TaskCreationOptions.LongRunning);

    private static Task<string> Children(Func<bool> isOver) => Task.Factory.StartNew(() =>
    {
        for (var number = 0; !isOver(); number++)
        {
            using var child = Process.Start("/bin/sh", ["-c", $"exit {number % 100}"]);
            if (!child.WaitForExit(20_000)) return "one did not end";
            if (child.ExitCode != number % 100) return $"one ended with {child.ExitCode} instead of {number % 100}";
        }
        return "all ended";
    }, TaskCreationOptions.LongRunning);
}
