// What profilers that change its methods do to a program: guests MODE.
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Diagnostics.Tracing;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

switch (args[0])
{
    case "environment":
        Show(args.Length > 1 ? "child: " : "");
        if (args.Length == 1) StartChild();
        break;
    case "start":
        Environment.ExitCode = Start(args[1..]);
        break;
    case "value":
        Console.WriteLine(string.Join(" ", Seen().Distinct()));
        break;
    case "kinds":
        foreach (var (name, method) in Marked.Kinds)
            Console.WriteLine($"{name} {string.Join(" ", Called(method).Distinct())}");
        break;
    case "rejit":
        Rejit(args[1], args[2..]);
        break;
    case "late":
        AddLate(args[1], args[2]);
        Console.WriteLine(string.Join(" ", Seen().Distinct()));
        break;
    case "ask":
        Call(args[1], "Ask", byte.Parse(args[2]));
        Call(args[1], "Leave", byte.Parse(args[2]));
        break;
    case "events":
        RaiseEvents();
        break;
}

static void Show(string who)
{
    foreach (var name in new[] { "CORECLR_ENABLE_PROFILING", "CORECLR_PROFILER", "CORECLR_PROFILER_PATH" })
        Console.WriteLine($"{who}{name}={Environment.GetEnvironmentVariable(name)}");
}

static void StartChild()
{
    var start = new ProcessStartInfo(Environment.ProcessPath!, [typeof(Marked).Assembly.Location, "environment", "again"]);
    using var child = Process.Start(start)!;
    child.WaitForExit();
}

// By the engine's own function, as a command that reaches into the process does.
static void AddLate(string engine, string description)
{
    var add = NativeLibrary.GetExport(NativeLibrary.Load(engine), "oriel_guest_add");
    var message = new byte[500];
    var result = Marshal.GetDelegateForFunctionPointer<Add>(add)(description, message, (nuint)message.Length);
    Console.WriteLine($"{result} {System.Text.Encoding.UTF8.GetString(message).Split((char)0)[0]}");
}

static int Call(string path, string function, byte number)
{
    var library = NativeLibrary.Load(path);
    return Marshal.GetDelegateForFunctionPointer<Change>(NativeLibrary.GetExport(library, function))(number);
}

// "NAME=VALUE"…, "-NAME"… or "clear" for the child's environment, "*N" for as many at once, "--", its command.
static int Start(string[] args)
{
    var end = Array.IndexOf(args, "--");
    var number = 1;
    var start = new ProcessStartInfo(args[end + 1], args[(end + 2)..]);
    foreach (var arg in args[..end])
        if (arg == "clear") start.Environment.Clear();
        else if (arg[0] == '*') number = int.Parse(arg[1..]);
        else if (arg[0] == '-') start.Environment.Remove(arg[1..]);
        else start.Environment[arg.Split('=', 2)[0]] = arg.Split('=', 2)[1];
    _ = start.Environment;  // is made when first asked for: not by several at once
    try
    {
        return Enumerable.Range(0, number).AsParallel().WithDegreeOfParallelism(Math.Min(number, 16)).Max(_ => Run(start));
    }
    catch (AggregateException e)
    {
        Console.WriteLine(e.InnerException!.Message);
        return 99;
    }
}

static int Run(ProcessStartInfo start)
{
    using var child = Process.Start(start)!;
    child.WaitForExit();
    return child.ExitCode;
}

// From several threads at once, each of them many in a row.
static void RaiseEvents()
{
    using var source = new Raised();
    Parallel.For(0, 4, new ParallelOptions { MaxDegreeOfParallelism = 4 }, _ =>
    {
        for (var i = 0; i < 500; ++i)
        {
            source.Plain(i);
            source.First(i);
            source.First(i + 1);
            source.Second(i);
        }
    });
}

// Called often enough for each tier, with time for the compiler in between.
static IEnumerable<int> Seen() => Called(Marked.Added, 60);

static IEnumerable<int> Called(Func<int> method, int rounds = 20)
{
    for (var round = 0; round < rounds; ++round)
    {
        for (var i = 0; i < 2000; ++i) yield return method();
        Thread.Sleep(10);
    }
}

// Steps are "+N" and "-N": profiler N of the library changes the method, or takes that back. Of each: the answer, what the
// method gives from then on, and all that eight threads got from it meanwhile.
static void Rejit(string path, string[] steps)
{
    var library = NativeLibrary.Load(path);
    var request = Marshal.GetDelegateForFunctionPointer<Change>(NativeLibrary.GetExport(library, "RequestChange"));
    var revert = Marshal.GetDelegateForFunctionPointer<Change>(NativeLibrary.GetExport(library, "RevertChange"));
    // By the step in which the call began: a thread may be kept from its processor before it notes what it got.
    var seen = new ConcurrentDictionary<(int Step, int Value), bool>();
    var current = 0;
    var stop = false;
    var threads = Enumerable.Range(0, 8).Select(_ => new Thread(() =>
    {
        while (!Volatile.Read(ref stop))
        {
            var begun = Volatile.Read(ref current);
            seen[(begun, Marked.Added())] = true;
        }
    })).ToList();
    threads.ForEach(thread => thread.Start());
    Console.WriteLine($"before {Settled()}");
    foreach (var step in steps)
    {
        ++current;
        var result = (step[0] == '+' ? request : revert)(byte.Parse(step[1..]));
        var settled = Settled();
        var values = seen.Keys.Where(key => key.Step == current).Select(key => key.Value).Order();
        Console.WriteLine($"{step} {result} {settled} of {string.Join(",", values)}");
    }
    Volatile.Write(ref stop, true);
    threads.ForEach(thread => thread.Join());
}

// What the method gives once a change has come into force.
static int Settled()
{
    var last = Marked.Added();
    for (var same = 0; same < 100; ++same)
    {
        Thread.Sleep(1);
        var now = Marked.Added();
        if (now != last) same = 0;
        last = now;
    }
    return last;
}

delegate int Change(byte number);
delegate int Add(string description, [Out] byte[] message, nuint size);

static class Marked
{
    const int Mark = 0x5EED0001;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Value() => Mark;

    public static int Added() => Value() - Mark;

    // What a method gives beyond the mark, and with it whoever has its code in its own.
    public static readonly (string Name, Func<int> Added)[] Kinds =
    [
        ("plain", Added),
        ("inlined", AddedInline),
        ("generic", () => Generic<string>() - Mark),
        ("generic over a number", () => Generic<long>() - Mark),
        ("of numbers alone", () => OfNumbers<int>() - Mark),
        ("of a generic type", () => Of<string>.Value() - Mark),
        ("of a nested type", () => Of<DateTime>.Nested<string>.Value<object>() - Mark),
        ("started by its type", () => Started.Value - Mark),
        ("virtual", () => new Derived().Value() - Mark),
    ];

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static int Inline() => Mark;

    // Optimized at once: nothing of what it calls had code before.
    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    static int AddedInline() => Inline() - Mark;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Generic<T>() => Mark;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int OfNumbers<T>() where T : struct, IComparable<T> => Mark;

    static class Of<T>
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public static int Value() => Mark;

        public static class Nested<U>
        {
            [MethodImpl(MethodImplOptions.NoInlining)]
            public static int Value<V>() => Mark;
        }
    }

    // Runs once.
    static class Started
    {
        public static readonly int Value = First();

        [MethodImpl(MethodImplOptions.NoInlining)]
        static int First() => Mark;
    }

    abstract class Base
    {
        public abstract int Value();
    }

    sealed class Derived : Base
    {
        [MethodImpl(MethodImplOptions.NoInlining)]
        public override int Value() => Mark;
    }
}

[EventSource(Name = "Guests-Events")]
sealed class Raised : EventSource
{
    public static class Keywords
    {
        public const EventKeywords One = (EventKeywords)1, Two = (EventKeywords)2;
    }

    [Event(1, Level = EventLevel.Informational, Keywords = Keywords.One)]
    public void First(int number) => WriteEvent(1, number);

    [Event(2, Level = EventLevel.Verbose, Keywords = Keywords.Two)]
    public void Second(int number) => WriteEvent(2, number);

    [Event(3, Level = EventLevel.Warning)]
    public void Plain(int number) => WriteEvent(3, number);
}
