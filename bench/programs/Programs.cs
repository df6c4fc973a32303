// The programs that the benchmarks run: Programs NAME [ARGS…]. Each does a fixed amount of work.
using System.Runtime.CompilerServices;

switch (args.ElementAtOrDefault(0))
{
    case "hello": Console.WriteLine("Hello, World!"); break;
    case "busy": Busy.Run(int.Parse(args[1]), long.Parse(args[2])); break;
    case "waiting": Waiting.Run(int.Parse(args[1]), long.Parse(args[2])); break;
    case "shares": Shares.Run(int.Parse(args[1])); break;
    case "allocate": Steady.Run(int.Parse(args[1]), int.Parse(args[2]), 1, Steady.Allocate); break;
    case "call": Steady.Run(int.Parse(args[1]), int.Parse(args[2]), 1, Steady.Call); break;
    case "call-2": Steady.Run(int.Parse(args[1]), int.Parse(args[2]), 2, Steady.Call); break;
    case "contended": Contended.Run(int.Parse(args[1]), int.Parse(args[2]), int.Parse(args[3])); break;
    case "throwing": Throwing.Run(int.Parse(args[1]), int.Parse(args[2])); break;
    case "collecting": Collecting.Run(int.Parse(args[1])); break;
    case "growing": Growing.Run(int.Parse(args[1]), int.Parse(args[2])); break;
    case "deep": Deep.Run(int.Parse(args[1]), int.Parse(args[2])); break;
    default:
        Console.Error.WriteLine("usage: Programs hello | busy THREADS MILLIONS | waiting THREADS MILLIONS | shares ROUNDS | deep FRAMES MILLIONS | contended THREADS ROUNDS STEPS | throwing COUNT STEPS | collecting MILLIONS | allocate|call|call-2 MILLIONS SETTLE-MS");
        return 2;
}
return 0;

// Threads that take a lock in turn, with a quarter of the work outside of it.
static class Contended
{
    static readonly object Gate = new();

    public static void Run(int threads, int rounds, int steps)
    {
        ulong state = 88172645463325252;
        var all = new Thread[threads];
        for (int i = 0; i < threads; i++)
        {
            all[i] = new Thread(() =>
            {
                ulong own = 1;
                for (int n = 0; n < rounds / threads; n++)
                {
                    lock (Gate) state = Busy.Work(state, steps);
                    own = Busy.Work(own, steps / 4);
                }
            });
            all[i].Start();
        }
        foreach (Thread thread in all) thread.Join();
        Console.WriteLine($"{state}");
    }
}

// Exceptions as a program's way to tell of what happens often, with work between them.
static class Throwing
{
    public static void Run(int count, int steps)
    {
        ulong state = 88172645463325252;
        int caught = 0;
        for (int i = 0; i < count; i++)
        {
            state = Busy.Work(state, steps);
            try { Check(i); }
            catch (FormatException) { caught++; }
        }
        Console.WriteLine($"{state} {caught}");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Check(int number) => throw new FormatException($"number {number % 7} is none");
}

// Many collections of a heap of some 200 MB, in which a part of what is allocated lives on for a while.
static class Collecting
{
    public static void Run(int millions)
    {
        var kept = new object[1_000_000];
        var young = new object[1 << 14];
        for (int i = 0; i < kept.Length; i++) kept[i] = new byte[150];
        for (long i = 0; i < millions * 1_000_000L; i++)
        {
            var made = new byte[100];
            young[i & (young.Length - 1)] = made;
            if (i % 64 == 0) kept[i / 64 % kept.Length] = made;
        }
        GC.KeepAlive(young);
        Console.WriteLine(GC.CollectionCount(0));
    }
}

// Threads that only wait, and one that computes.
static class Waiting
{
    public static void Run(int threads, long millions)
    {
        using var end = new ManualResetEvent(false);
        var waiting = Enumerable.Range(0, threads).Select(i => new Thread(() => end.WaitOne(), 256 * 1024) { Name = $"waiting {i}" }).ToList();
        waiting.ForEach(w => w.Start());
        Console.WriteLine(Busy.Work(88172645463325252, millions * 1_000_000));
        end.Set();
        waiting.ForEach(w => w.Join());
    }
}

// Threads that only compute.
static class Busy
{
    public static void Run(int threads, long millions)
    {
        var results = new ulong[threads];
        var workers = Enumerable.Range(0, threads).Select(i => new Thread(() => results[i] = Work(88172645463325252 + (ulong)i, millions * 1_000_000)) { Name = $"busy {i}" }).ToList();
        workers.ForEach(w => w.Start());
        workers.ForEach(w => w.Join());
        Console.WriteLine(results.Aggregate((a, b) => a ^ b));
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static ulong Work(ulong state, long steps)
    {
        for (long i = 0; i < steps; i++) state = Step(state);
        return state;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static ulong Step(ulong state)
    {
        state ^= state << 13;
        state ^= state >> 7;
        return state ^ state << 17;
    }
}

// Two loops without calls, and a leaf without a loop called from a loop: what a profiler that samples only at safepoints
// gives to the wrong method.
static class Shares
{
    public static void Run(int rounds)
    {
        double sum = 0;
        for (int i = 0; i < rounds; i++) sum += LoopOne(3_000_000) + LoopTwo(2_000_000) + CallsLeaf(400_000);
        Console.WriteLine(sum);
    }

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    static double LoopOne(int n)
    {
        double x = 0.5;
        for (int i = 0; i < n; i++) x = x * 1.0000001 + 0.0000001;
        return x;
    }

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    static double LoopTwo(int n)
    {
        double x = 1.5;
        for (int i = 0; i < n; i++) x = x * 0.9999999 + 0.0000002;
        return x;
    }

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    static double CallsLeaf(int n)
    {
        double x = 2;
        for (int i = 0; i < n; i++) x = Leaf(x);
        return x;
    }

    // 16 dependent divisions and no loop.
    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    static double Leaf(double x)
    {
        x = 3 / x; x = 3.1 / x; x = 3.2 / x; x = 3.3 / x;
        x = 3.4 / x; x = 3.5 / x; x = 3.6 / x; x = 3.7 / x;
        x = 3.8 / x; x = 3.9 / x; x = 4.0 / x; x = 4.1 / x;
        x = 4.2 / x; x = 4.3 / x; x = 4.4 / x; x = 4.5 / x;
        return x > 1e6 ? 2 : x < 1e-6 ? 2 : x;
    }
}

// What one object, or one call of a method that is not inlined, costs once all code is compiled for good. Prints
// "ns: FIGURE" for one: the time of all, by how many each thread did.
// Of so many millions of objects of 100 bytes one in so many is kept; 0: none.
static class Growing
{
    static byte[]? last;

    public static void Run(int millions, int keepOneIn)
    {
        var kept = new List<byte[]>();
        for (long i = 1; i <= millions * 1_000_000L; i++)
        {
            last = new byte[76];
            if (keepOneIn != 0 && i % keepOneIn == 0) kept.Add(last);
        }
        Console.WriteLine(kept.Count);
    }
}

static class Steady
{
    const int Million = 1_000_000;
    static object? sink;
    static int sum;

    // After the first warm-up comes a wait, in which a profiler may change its mind, and another.
    public static void Run(int millions, int settle, int threads, Action<int> work)
    {
        WarmUp(work);
        Thread.Sleep(settle);
        WarmUp(work);
        var watch = System.Diagnostics.Stopwatch.StartNew();
        var others = Enumerable.Range(1, threads - 1).Select(_ => new Thread(() => Repeat(millions, work))).ToList();
        others.ForEach(t => t.Start());
        Repeat(millions, work);
        others.ForEach(t => t.Join());
        Console.WriteLine($"ns: {watch.Elapsed.TotalNanoseconds / Million / millions:F3}");
    }

    static void Repeat(int millions, Action<int> work)
    {
        for (int i = 0; i < millions; i++) work(Million);
    }

    static void WarmUp(Action<int> work)
    {
        for (int i = 0; i < 60; i++)
        {
            work(100_000);
            Thread.Sleep(10);
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Allocate(int count)
    {
        for (int i = 0; i < count; i++) sink = new object();
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void Call(int count)
    {
        int x = sum;
        for (int i = 0; i < count; i++) x = Callee(x);
        sum = x;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Callee(int x) => x + 1;
}

// Work below so many frames.
static class Deep
{
    public static void Run(int frames, int millions) => Console.WriteLine(Down(frames, millions * 1_000_000L));

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Down(int frames, long steps) => frames == 0 ? Spin(steps) : Down(frames - 1, steps) + 1;

    [MethodImpl(MethodImplOptions.NoInlining | MethodImplOptions.AggressiveOptimization)]
    static long Spin(long steps)
    {
        long x = 1;
        for (long i = 0; i < steps; i++) x = x * 6364136223846793005 + 1442695040888963407;
        return x;
    }
}
