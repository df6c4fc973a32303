// A program in one state, for tests that look at it from outside: states STATE SECONDS.
//   idle          all threads wait
//   busy          calls, allocations, contended locks, exceptions, awaits and collections
//   collections   one collection after another, of objects that live and die
//   threads       500 threads, most of which wait at any time
// Prints "ready" when it is in that state and "done" when it leaves it, and exits with 7.
using System.Diagnostics;
using System.Globalization;
using System.Runtime.CompilerServices;

var end = Stopwatch.GetTimestamp() + (long)(double.Parse(args[1], CultureInfo.InvariantCulture) * Stopwatch.Frequency);
var (count, work) = args[0] switch
{
    "idle" => (1, (Action)State.Sleep),
    "busy" => (3, State.Work),
    "collections" => (2, State.Collect),
    "threads" => (500, State.WorkAndWait),
    _ => throw new ArgumentException("no such state", args[0]),
};
using var ready = new CountdownEvent(count);
var threads = Enumerable.Range(0, count).Select(_ => new Thread(() =>
{
    work();
    ready.Signal();
    while (Stopwatch.GetTimestamp() < end) work();
}, 256 * 1024)).ToList();
threads.ForEach(thread => thread.Start());
ready.Wait();
Console.WriteLine("ready");
threads.ForEach(thread => thread.Join());
Console.WriteLine("done");
return 7;

static class State
{
    static readonly object gate = new();
    static long sink;
    static int rounds;

    public static void Sleep() => Thread.Sleep(50);

    public static void Work()
    {
        for (var i = 0; i < 200; i++) Interlocked.Add(ref sink, Add(i, sink));
        for (var i = 0; i < 50; i++) Interlocked.Add(ref sink, new byte[1000].Length);
        lock (gate) Thread.Sleep(1);
        try { throw new InvalidOperationException("on purpose"); }
        catch (InvalidOperationException) { }
        Await().GetAwaiter().GetResult();
        if (Interlocked.Increment(ref rounds) % 16 == 0) GC.Collect(0);
    }

    public static void WorkAndWait()
    {
        for (var i = 0; i < 50; i++) Interlocked.Add(ref sink, Add(i, sink));
        lock (gate) Interlocked.Add(ref sink, new byte[1000].Length);
        Thread.Sleep(20);
    }

    public static void Collect()
    {
        var kept = new List<object>();
        for (var i = 0; i < 20_000; i++) kept.Add(new object[4]);
        GC.Collect(Interlocked.Increment(ref rounds) % 3, GCCollectionMode.Forced, blocking: true);
        GC.KeepAlive(kept);
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Add(long a, long b) => a ^ b * 3;

    static async Task Await()
    {
        await Task.Yield();
        Interlocked.Increment(ref sink);
    }
}
