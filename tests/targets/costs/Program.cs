// Methods that take a known time, each called in a loop that a stopwatch times: "NAME: nanoseconds a call", the least of
// several rounds. What a profiler says they take is to be the same.
using System.Diagnostics;
using System.Runtime.CompilerServices;

namespace Costs;

static class Program
{
    static readonly int[] table = Enumerable.Range(0, 256).Select(i => i * 7919 & 255).ToArray();
    static readonly string text = "The quick brown fox jumps over the lazy dog";

    static int Main(string[] args)
    {
        int calls = int.Parse(args.ElementAtOrDefault(0) ?? "10000");
        var work = new (string Name, Func<int, ulong> Run)[]
        {
            ("Chain20", RunChain20), ("Chain100", RunChain100), ("Chain1000", RunChain1000), ("Busy20", RunBusy20),
            ("Busy100", RunBusy100), ("Walk20", RunWalk20), ("Walk100", RunWalk100), ("Hash", RunHash), ("Nested", RunNested),
            ("Virtual", RunVirtual), ("Getter", RunGetter),
        };
        for (int i = 0; i < 40; i++)
        {
            foreach (var (_, run) in work) run(2000);
            Thread.Sleep(5);
        }
        Thread.Sleep(300);
        ulong all = 0;
        foreach (var (name, run) in work)
        {
            double least = double.MaxValue;
            for (int round = 0; round < 200; round++)
            {
                long begin = Stopwatch.GetTimestamp();
                all += run(calls);
                least = Math.Min(least, Stopwatch.GetElapsedTime(begin).TotalNanoseconds / calls);
            }
            Console.WriteLine($"{name}: {least:F2}");
        }
        Waits();
        Console.Error.WriteLine(all);
        return 0;
    }

    // Half of its time without a processor.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Waits()
    {
        for (int i = 0; i < 20; i++)
        {
            var watch = Stopwatch.StartNew();
            while (watch.ElapsedMilliseconds < 10) { }
            Thread.Sleep(10);
        }
    }

    // Each step needs the one before.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static ulong Chain(ulong x, int steps)
    {
        for (int i = 0; i < steps; i++) x = x * 6364136223846793005 + 1442695040888963407;
        return x;
    }
    // As many steps at once as the processor can.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static ulong Busy(ulong x, int steps)
    {
        ulong a = x & 1, b = 2, c = 3, d = 4;
        for (int i = 0; i < steps; i++) { a += b ^ 3; b += (ulong)i; c ^= d + 5; d += (ulong)i << 1; }
        return a + b + c + d;
    }
    // Loads and branches, as most code.
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    static ulong Walk(ulong x, int steps)
    {
        int at = (int)(x & 255);
        ulong sum = 0;
        for (int i = 0; i < steps; i++)
        {
            at = table[at];
            if ((at & 1) == 0) sum += (ulong)at;
        }
        return sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)] static ulong Chain20(ulong x) => Chain(x, 18);
    [MethodImpl(MethodImplOptions.NoInlining)] static ulong Chain100(ulong x) => Chain(x, 90);
    [MethodImpl(MethodImplOptions.NoInlining)] static ulong Chain1000(ulong x) => Chain(x, 900);
    [MethodImpl(MethodImplOptions.NoInlining)] static ulong Busy20(ulong x) => Busy(x, 30);
    [MethodImpl(MethodImplOptions.NoInlining)] static ulong Busy100(ulong x) => Busy(x, 150);
    [MethodImpl(MethodImplOptions.NoInlining)] static ulong Walk20(ulong x) => Walk(x, 10);
    [MethodImpl(MethodImplOptions.NoInlining)] static ulong Walk100(ulong x) => Walk(x, 50);
    [MethodImpl(MethodImplOptions.NoInlining)] static ulong Hash(ulong x) => (ulong)text.GetHashCode() + x;
    [MethodImpl(MethodImplOptions.NoInlining)]
    static ulong Nested(ulong x)
    {
        for (int i = 0; i < 10; i++) x = Chain20(x);
        return x;
    }

    interface IShape { ulong Area(ulong x); }
    sealed class Square : IShape
    {
        [MethodImpl(MethodImplOptions.NoInlining)] public ulong Area(ulong x) => Walk(x * x, 12);
    }
    sealed class Circle : IShape
    {
        [MethodImpl(MethodImplOptions.NoInlining)] public ulong Area(ulong x) => Chain(x * 3, 20);
    }
    static readonly IShape[] shapes = { new Square(), new Circle() };
    [MethodImpl(MethodImplOptions.NoInlining)] static ulong Virtual(ulong x) => shapes[x & 1].Area(x);

    sealed class Account
    {
        ulong balance = 5;
        public ulong Balance { get { return balance; } }
    }
    static readonly Account account = new();
    // Calls nothing but a trivial getter.
    [MethodImpl(MethodImplOptions.NoInlining)]
    static ulong Getter(ulong x)
    {
        ulong sum = x;
        for (int i = 0; i < 20; i++) sum += account.Balance;
        return sum;
    }

    static ulong RunChain20(int n) { ulong x = 1; for (int i = 0; i < n; i++) x = Chain20(x); return x; }
    static ulong RunChain100(int n) { ulong x = 1; for (int i = 0; i < n; i++) x = Chain100(x); return x; }
    static ulong RunChain1000(int n) { ulong x = 1; for (int i = 0; i < n; i++) x = Chain1000(x); return x; }
    static ulong RunBusy20(int n) { ulong x = 1; for (int i = 0; i < n; i++) x = Busy20(x); return x; }
    static ulong RunBusy100(int n) { ulong x = 1; for (int i = 0; i < n; i++) x = Busy100(x); return x; }
    static ulong RunWalk20(int n) { ulong x = 1; for (int i = 0; i < n; i++) x = Walk20(x); return x; }
    static ulong RunWalk100(int n) { ulong x = 1; for (int i = 0; i < n; i++) x = Walk100(x); return x; }
    static ulong RunHash(int n) { ulong x = 1; for (int i = 0; i < n; i++) x = Hash(x); return x; }
    static ulong RunNested(int n) { ulong x = 1; for (int i = 0; i < n; i++) x = Nested(x); return x; }
    static ulong RunVirtual(int n) { ulong x = 1; for (int i = 0; i < n; i++) x += Virtual(x); return x; }
    static ulong RunGetter(int n) { ulong x = 1; for (int i = 0; i < n; i++) x += Getter(x); return x; }
}
