// A program that is busy in code of all kinds, compiled before anybody attaches: attached SECONDS [methods=N].
// Prints "ready" when all of it is compiled, and at the end of its input, or after the time, "done", and exits with 7.
// For each line "longest" of its input it prints the longest time in milliseconds for which a thread that only reads
// the clock was held up since the last one; that thread exists if WATCH_CLOCK is 1. For each line "sources" it prints
// the event sources that are enabled, each with its level and keywords. Its two busy threads sleep for REST milliseconds after
// each one of work.
using System.Diagnostics;
using System.Diagnostics.Tracing;
using System.Globalization;
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;

var seconds = double.Parse(args[0], CultureInfo.InvariantCulture);
if (args.Length > 1) Many.Compile(int.Parse(args[1].Split('=')[1], CultureInfo.InvariantCulture));
var made = Made.Spin();
var unloadable = Unloadable.Spin();
var mixed = new Action[]
    { Kinds.Plain, Kinds.Generic, Kinds.Precompiled, Kinds.Throws, Kinds.Allocates, made, unloadable };
foreach (var warm in mixed.Append(Kinds.Optimized))
    for (var until = Clock.After(0.15); !until.IsOver;) warm();
var stop = new ManualResetEventSlim();
var rest = int.Parse(Environment.GetEnvironmentVariable("REST") ?? "0", CultureInfo.InvariantCulture);
var threads = new List<Thread>();
foreach (var (name, works) in new (string, Action[])[] { ("optimized", [Kinds.Optimized]), ("mixed", mixed) })
{
    var thread = new Thread(() =>
    {
        while (!stop.IsSet)
        {
            var until = Clock.After(0.001);
            do foreach (var work in works) work(); while (!until.IsOver);
            if (rest > 0) Thread.Sleep(rest);
        }
    });
    (thread.Name, thread.IsBackground) = (name, true);
    thread.Start();
    threads.Add(thread);
}
var locker = new Thread(() => Kinds.WaitsForLocks(stop)) { Name = "waits", IsBackground = true };
locker.Start();
var pauses = new Thread(() => Clock.Watch(stop)) { Name = "clock", IsBackground = true };
if (Environment.GetEnvironmentVariable("WATCH_CLOCK") == "1") pauses.Start();
Console.WriteLine("ready");
new Thread(() =>
{
    while (Console.ReadLine() is { } line)
        if (line == "longest") Console.WriteLine(Clock.TakeLongest().ToString("F1", CultureInfo.InvariantCulture));
        else if (line == "sources") Console.WriteLine(string.Join(' ', Sources.Enabled()));
    stop.Set();
}) { IsBackground = true }.Start();
stop.Wait(TimeSpan.FromSeconds(seconds));
stop.Set();
foreach (var thread in threads) thread.Join();
Console.WriteLine("done");
return 7;

static class Sources
{
    public static IEnumerable<string> Enabled() =>
        from source in EventSource.GetSources()
        where source.IsEnabled()
        let level = Enum.GetValues<EventLevel>().Where(one => source.IsEnabled(one, EventKeywords.None)).Max()
        let keywords = Enumerable.Range(0, 44).Where(bit => source.IsEnabled(level, (EventKeywords)(1L << bit)))
        select $"{source.Name}:{level}:{keywords.Aggregate(0L, (all, bit) => all | 1L << bit):x}";
}

readonly struct Clock(long end)
{
    static long longest;
    public static Clock After(double seconds) => new(Stopwatch.GetTimestamp() + (long)(seconds * Stopwatch.Frequency));
    public bool IsOver => Stopwatch.GetTimestamp() >= end;

    public static void Watch(ManualResetEventSlim stop)
    {
        long last = Stopwatch.GetTimestamp();
        while (!stop.IsSet)
        {
            long now = Stopwatch.GetTimestamp();
            if (now - last > Volatile.Read(ref longest)) Volatile.Write(ref longest, now - last);
            last = now;
        }
    }

    public static double TakeLongest() => Interlocked.Exchange(ref longest, 0) * 1000.0 / Stopwatch.Frequency;
}

static class Kinds
{
    public static long Sink;
    static readonly object gate = new();

    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    public static void Optimized()
    {
        for (int i = 0; i < 20_000; i++) Sink += i ^ Sink;
    }

    // Reaches its highest tier before "ready".
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Plain()
    {
        for (int i = 0; i < 20_000; i++) Sink += i * 3 ^ Sink;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Generic()
    {
        Of<int>.Sum(5);
        Of<string>.Sum("five");
    }

    // The core library's own code, compiled ahead.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Precompiled()
    {
        var numbers = new List<string>();
        for (int i = 0; i < 60; i++) numbers.Add((i * 7919 % 61).ToString(CultureInfo.InvariantCulture));
        numbers.Sort(StringComparer.Ordinal);
        Sink += string.Join(',', numbers).GetHashCode() & 1;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Throws()
    {
        try { throw new InvalidOperationException("on purpose"); }
        catch (InvalidOperationException) { Sink++; }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Allocates()
    {
        for (int i = 0; i < 20; i++) Sink += new byte[2000].Length;
    }

    public static void WaitsForLocks(ManualResetEventSlim stop)
    {
        new Thread(() => { while (!stop.IsSet) lock (gate) Thread.Sleep(20); }) { IsBackground = true }.Start();
        while (!stop.IsSet) lock (gate) Sink++;
    }

    static class Of<T>
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public static void Sum(T value)
        {
            for (int i = 0; i < 5_000; i++) Sink += EqualityComparer<T>.Default.Equals(value, value) ? 1 : 0;
        }
    }
}

// A method without metadata.
static class Made
{
    public static Action Spin()
    {
        var method = new DynamicMethod("SpinDynamically", null, null, typeof(Made).Module);
        var code = method.GetILGenerator();
        var index = code.DeclareLocal(typeof(int));
        var top = code.DefineLabel();
        code.MarkLabel(top);
        code.Emit(OpCodes.Ldloc, index);
        code.Emit(OpCodes.Ldc_I4_1);
        code.Emit(OpCodes.Add);
        code.Emit(OpCodes.Stloc, index);
        code.Emit(OpCodes.Ldloc, index);
        code.Emit(OpCodes.Ldc_I4, 30_000);
        code.Emit(OpCodes.Blt, top);
        code.Emit(OpCodes.Ret);
        return method.CreateDelegate<Action>();
    }
}

// This assembly once more, where it could be unloaded.
static class Unloadable
{
    public static Action Spin()
    {
        var context = new AssemblyLoadContext("unloadable", isCollectible: true);
        var type = context.LoadFromAssemblyPath(typeof(Unloadable).Assembly.Location).GetType("Unloadable")!;
        return type.GetMethod(nameof(SpinUnloadably))!.CreateDelegate<Action>();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void SpinUnloadably()
    {
        for (int i = 0; i < 20_000; i++) Kinds.Sink += i * 5 ^ Kinds.Sink;
    }
}

// As many compiled methods as are asked for.
static class Many
{
    static readonly List<Action> kept = new();

    public static void Compile(int count)
    {
        var assembly = AssemblyBuilder.DefineDynamicAssembly(new AssemblyName("Many"), AssemblyBuilderAccess.Run);
        var module = assembly.DefineDynamicModule("Many");
        var type = module.DefineType("Many", TypeAttributes.Public);
        for (int i = 0; i < count; i++)
        {
            var method = type.DefineMethod($"M{i}", MethodAttributes.Public | MethodAttributes.Static, null, null);
            method.GetILGenerator().Emit(OpCodes.Ret);
        }
        var made = type.CreateType();
        for (int i = 0; i < count; i++) RuntimeHelpers.PrepareMethod(made.GetMethod($"M{i}")!.MethodHandle);
    }
}
