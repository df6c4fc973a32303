// A heap with a known truth: heap [COUNT]. Says "ready" and how much there is of it, a line each, and ends with its input.
// Each line "longest" of its input prints for how many milliseconds at most a thread that only reads the clock was held up
// since the last one; that thread exists if WATCH_CLOCK is 1. With KEEP_VALUES=1 there is also what Values makes, and with
// CHANGES=N a thread changes N entries anywhere in the heap each second. Each line "grow" of its input adds 1,000 entries to the
// cache that is never emptied; the bounded one stays as it is. Each line "collect" makes a full collection. With COMPRESS=N,
// N threads are in native code that computes.
using System.Diagnostics;
using System.Globalization;
using System.IO.Compression;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

var count = args.Length > 0 ? int.Parse(args[0], CultureInfo.InvariantCulture) : 10_000;
Cache.Fill(count);
Handles.Make();
if (Environment.GetEnvironmentVariable("KEEP_VALUES") == "1") Values.Make();
var worker = new Thread(Stack.Hold) { Name = "holder", IsBackground = true };
worker.Start();
Stack.Ready.Wait();
if (Environment.GetEnvironmentVariable("WATCH_CLOCK") == "1") Clock.Watch();
if (int.TryParse(Environment.GetEnvironmentVariable("CHANGES"), out var changes)) Cache.Change(changes);
if (int.TryParse(Environment.GetEnvironmentVariable("COMPRESS"), out var compressors)) Compressor.Start(compressors);
Console.WriteLine("ready");
Console.WriteLine($"Entry {Cache.Entries.Count}");
Console.WriteLine($"Node {Chain.Length}");
while (Console.ReadLine() is { } line)
    if (line == "longest")
    {
        Console.WriteLine(Clock.TakeLongest().ToString("F1", CultureInfo.InvariantCulture));
    }
    else if (line == "collect")
    {
        GC.Collect();
        Console.WriteLine("collected");
    }
    else if (line == "grow")
    {
        Cache.Fill(1000);
        Bounded.Turn(1000);
        Console.WriteLine($"Entry {Cache.Entries.Count}");
    }
GC.KeepAlive(worker);

// What values of fields tell of, in known numbers.
public sealed class Order { public string Currency = "", Note = ""; }

public sealed class Publisher
{
    public static event EventHandler? Changed;
    public static int Handlers => Changed?.GetInvocationList().Length ?? 0;
}

public sealed class Subscriber
{
    private readonly byte[] _page = new byte[1000];

    public void Subscribe() => Publisher.Changed += Handle;
    private void Handle(object? sender, EventArgs e) => GC.KeepAlive(_page);
}

// Has a handler too, but something else holds it.
public sealed class Listed
{
    public void Subscribe() => Publisher.Changed += Handle;
    private void Handle(object? sender, EventArgs e) { }
}

public sealed class Poller(int number)
{
    public void Poll() => GC.KeepAlive(number);
}

public sealed class Unused
{
    ~Unused() => Environment.FailFast("the collector has run");
}

public static class Values
{
    private static readonly List<Order> s_orders = [];
    private static readonly List<List<Order?>> s_lists = [];
    private static readonly List<Dictionary<int, int>> s_full = [];
    private static readonly List<double[]> s_tables = [];
    private static readonly object[] s_boxes = new object[300];
    private static readonly List<Listed> s_listed = [];
    private static readonly List<Timer> s_timers = [];
    private static readonly TaskCompletionSource s_never = new();
    private static readonly List<Task> s_waiting = [];
    private static readonly List<Func<int>> s_lambdas = [];

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Make()
    {
        // 10,000 copies of one string, 50 of a secret one; the others differ.
        for (var i = 0; i < 10_000; i++) s_orders.Add(new Order { Currency = Text("pounds sterling"), Note = $"order number {i}" });
        for (var i = 0; i < 50; i++) s_orders.Add(new Order { Currency = Text("Server=db;Password=hunter2;"), Note = $"secret {i}" });
        for (var i = 0; i < 20; i++) s_tables.Add([1.5, 2.5, 3.5, i / 10]);  // ten and ten are equal
        // 500 with 10 of 100 places in use; 40 that have grown by themselves.
        for (var i = 0; i < 500; i++)
        {
            var list = new List<Order?>(100);
            for (var k = 0; k < 10; k++) list.Add(null);
            s_lists.Add(list);
        }
        for (var i = 0; i < 40; i++)
        {
            var numbers = new Dictionary<int, int>();
            for (var k = 0; k < 20; k++) numbers[k] = k;
            s_full.Add(numbers);
        }
        for (var i = 0; i < s_boxes.Length; i++) s_boxes[i] = new Point(i, i);
        for (var i = 0; i < 200; i++) new Subscriber().Subscribe();
        for (var i = 0; i < 30; i++)
        {
            var listed = new Listed();
            s_listed.Add(listed);
            listed.Subscribe();
        }
        for (var i = 0; i < 50; i++)
        {
            var poller = new Poller(i);
            s_timers.Add(new Timer(_ => poller.Poll(), null, TimeSpan.FromHours(1), TimeSpan.FromHours(1)));
        }
        for (var i = 0; i < 70; i++) s_waiting.Add(WaitForever());
        for (var i = 0; i < 25; i++) s_waiting.Add(EndSoon());
        for (var i = 0; i < 90; i++) s_lambdas.Add(Adder(i));
        for (var i = 0; i < 60; i++) Drop();
    }

    private static string Text(string text) => new(text.AsSpan());

    private static async Task WaitForever()
    {
        await Task.Yield();
        await s_never.Task;
    }

    private static async Task EndSoon() => await Task.Yield();

    private static Func<int> Adder(int number) => () => number + 1;

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Drop()
    {
        GC.KeepAlive(new Unused());
        GC.SuppressFinalize(new Unused());
    }
}

public readonly record struct Point(int X, int Y);

public static class Clock
{
    private static long s_longest;

    public static void Watch() => new Thread(() =>
    {
        for (var last = Stopwatch.GetTimestamp(); ;)
        {
            var now = Stopwatch.GetTimestamp();
            if (now - last > Volatile.Read(ref s_longest)) Volatile.Write(ref s_longest, now - last);
            last = now;
        }
    }) { IsBackground = true }.Start();

    public static double TakeLongest() => Interlocked.Exchange(ref s_longest, 0) * 1000.0 / Stopwatch.Frequency;
}

public sealed class Entry(int number)
{
    public readonly int Number = number;
    public readonly byte[] Payload = new byte[100];
}

// What leaks: entries by number, never removed.
public static class Cache
{
    public static readonly Dictionary<int, Entry> Entries = [];

    public static void Fill(int more)
    {
        for (var i = 0; i < more; i++) Entries.Add(Entries.Count, new Entry(i));
    }

    public static void Change(int perSecond) => new Thread(() =>
    {
        var random = new Random(1);
        for (var count = Entries.Count; ; Thread.Sleep(10))
            for (var i = 0; i < perSecond / 100; i++) Entries[random.Next(count)].Payload[0]++;
    }) { IsBackground = true }.Start();
}

public sealed record Recent(int Number);

// What does not leak: the last 500.
public static class Bounded
{
    private static readonly Queue<Recent> s_recent = new();

    public static void Turn(int more)
    {
        for (var i = 0; i < more; i++)
        {
            s_recent.Enqueue(new Recent(i));
            if (s_recent.Count > 500) s_recent.Dequeue();
        }
    }
}

public sealed class Node
{
    public Node? Next;
    public string Text = "";
}

// A list that only one thread's local variable holds.
public static class Chain
{
    public const int Length = 5_000;

    public static Node Make()
    {
        var first = new Node();
        for (var i = 1; i < Length; i++) first = new Node { Next = first };
        return first;
    }
}

public static class Stack
{
    public static readonly ManualResetEventSlim Ready = new();
    private static readonly ManualResetEventSlim s_never = new();

    [ThreadStatic] private static int t_number;
    [ThreadStatic] private static Named? t_first;
    [ThreadStatic] private static (Named?, int) t_pair;
    [ThreadStatic] private static Named? t_second;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Hold()
    {
        t_number = 1;
        t_first = new Named();
        t_pair = (new Named(), 2);
        t_second = t_first;
        var chain = Chain.Make();
        Ready.Set();
        s_never.Wait();
        GC.KeepAlive(chain);
    }
}

public sealed class Working;

// Holds objects while native code computes.
public static class Compressor
{
    public const int Objects = 1_000;
    private static readonly CountdownEvent s_ready = new(1);

    public static void Start(int threads)
    {
        s_ready.AddCount(threads);
        for (var i = 0; i < threads; i++) new Thread(Compress) { Name = "compressor", IsBackground = true }.Start();
        s_ready.Signal();
        s_ready.Wait();
        Thread.Sleep(200);  // by then they are in native code
    }

    // Ten seconds and more for each round.
    private static void Compress()
    {
        var input = new byte[16 << 20];
        var output = new byte[BrotliEncoder.GetMaxCompressedLength(input.Length)];
        new Random(1).NextBytes(input);
        s_ready.Signal();
        while (true) Round(input, output);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void Round(byte[] input, byte[] output)
    {
        var working = Make();
        BrotliEncoder.TryCompress(input, output, out _, quality: 11, window: 24);
        GC.KeepAlive(working);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static object Make()
    {
        var working = new Working[Objects];
        for (var i = 0; i < working.Length; i++) working[i] = new Working();
        return working;
    }
}

// Arrays of it are described as if they were of references.
public struct Pair { public Held? First, Second; }

public sealed class Held;
public sealed class Named;
public sealed class Pinned { public int Value; }
public sealed class Weak;
public sealed class Key;
public sealed class Dependent;

public static class Handles
{
    private static readonly List<GCHandle> s_handles = [];
    private static readonly ConditionalWeakTable<Key, Dependent> s_table = [];
    private static readonly Key s_key = new();
    private static readonly Pair[] s_pairs = new Pair[10];

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Make()
    {
        for (var i = 0; i < 100; i++) s_handles.Add(GCHandle.Alloc(new Held()));
        for (var i = 0; i < 10; i++) s_handles.Add(GCHandle.Alloc(new Pinned(), GCHandleType.Pinned));
        for (var i = 0; i < 20; i++) s_handles.Add(GCHandle.Alloc(new Weak(), GCHandleType.Weak));
        for (var i = 0; i < 10; i++) s_pairs[i].Second = new Held();
        s_table.Add(s_key, new Dependent());
    }
}
