// Async methods whose times the program itself knows: awaits MODE [N].
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Threading.Tasks.Sources;

namespace Awaits;

static class Program
{
    static async Task<int> Main(string[] args)
    {
        var number = args.Length > 1 ? int.Parse(args[1]) : 32;
        switch (args[0])
        {
            case "requests":
                await Requests.All(number);
                break;
            case "chains":
                await Chains.All(number);
                break;
            case "ends":
                await Ends.All();
                break;
            case "kinds":
                await Kinds.All();
                break;
            case "again":
                await Again.All(number);
                break;
            case "pending":
                await Pending.All();
                break;
            case "inline":
                await Inline.All();
                break;
            case "busy":
                await Busy.All();
                break;
            case "handed":
                await Handed.All();
                break;
            case "suspensions":
                await Suspensions.All(number);
                break;
        }
        return 0;
    }
}

// Each of N requests computes a little and waits three times.
static class Requests
{
    public static async Task All(int number)
    {
        var all = Enumerable.Range(0, number).Select(Handle).ToArray();
        var times = await Task.WhenAll(all);
        Console.WriteLine($"requests {times.Sum():F3}");
    }

    static async Task<double> Handle(int number)
    {
        var clock = Stopwatch.StartNew();
        var user = await LoadUser(number);
        await Save(user).ConfigureAwait(false);
        return clock.Elapsed.TotalMilliseconds;
    }

    static async Task<string> LoadUser(int number)
    {
        await Task.Delay(40); // the slow query
        return $"user {number}";
    }

    static async ValueTask Save(string user)
    {
        await Task.Delay(10); // the write
        await Task.Yield();
        if (user.Length == 0) throw new InvalidOperationException();
    }
}

// N chains of methods, one after the other on some tasks, each with a time of its own that the program measures.
static class Chains
{
    // Far more than what is beside the await in the time that is measured.
    static readonly long least = Stopwatch.Frequency / 10_000;
    static readonly ConcurrentQueue<(TaskCompletionSource Source, long Due)> waiting = new();
    static long awaited;

    public static async Task All(int number)
    {
        var stop = false;
        var completer = new Thread(() =>
        {
            while (!Volatile.Read(ref stop))
            {
                while (waiting.TryPeek(out var next) && next.Due <= Stopwatch.GetTimestamp() && waiting.TryDequeue(out next))
                    next.Source.SetResult();
                Thread.Yield();
            }
        });
        completer.Start();
        const int atOnce = 20;
        await Task.WhenAll(Enumerable.Range(0, atOnce).Select(_ => Some(number / atOnce)));
        Volatile.Write(ref stop, true);
        completer.Join();
        Console.WriteLine($"chains {number / atOnce * atOnce} awaited {awaited * 1000.0 / Stopwatch.Frequency:F3}");
    }

    static async Task Some(int number)
    {
        for (var i = 0; i < number; ++i) await Outer();
    }

    static async Task Outer() => await Middle();

    static async Task Middle() => await Inner();

    static async Task Inner()
    {
        var source = new TaskCompletionSource(TaskCreationOptions.RunContinuationsAsynchronously);
        var begun = Stopwatch.GetTimestamp();
        waiting.Enqueue((source, begun + least));
        await source.Task; // what takes the time
        Interlocked.Add(ref awaited, Stopwatch.GetTimestamp() - begun);
    }
}

static class Ends
{
    public static async Task All()
    {
        for (var i = 0; i < 10; ++i)
        {
            await Returns(i);
            await Swallow(Throws(i));
            await Swallow(Cancelled());
            await AtOnce(i);
        }
        Console.WriteLine("ends");
    }

    static async Task<int> Returns(int i)
    {
        await Task.Delay(1);
        return i;
    }

    static async Task Throws(int i)
    {
        await Task.Delay(1);
        throw new InvalidOperationException($"{i}");
    }

    static async Task Cancelled()
    {
        using var source = new CancellationTokenSource(1);
        await Task.Delay(10_000, source.Token);
    }

    static async Task<int> AtOnce(int i)
    {
        if (i > 100) await Task.Delay(1);
        return i;
    }

    static async Task Swallow(Task task)
    {
        try
        {
            await task;
        }
        catch (Exception)
        {
        }
    }
}

// Builders, awaitables and methods of all kinds, each five times with a wait of 2 ms.
static class Kinds
{
    sealed class Source : IValueTaskSource<int>
    {
        ManualResetValueTaskSourceCore<int> core;

        public ValueTask<int> Start()
        {
            core.Reset();
            Task.Delay(2).ContinueWith(_ => core.SetResult(2));
            return new ValueTask<int>(this, core.Version);
        }

        public int GetResult(short token) => core.GetResult(token);
        public ValueTaskSourceStatus GetStatus(short token) => core.GetStatus(token);
        public void OnCompleted(Action<object?> continuation, object? state, short token, ValueTaskSourceOnCompletedFlags flags) =>
            core.OnCompleted(continuation, state, token, flags);
    }

    sealed class Generic<T>
    {
        public async Task<U> Both<U>(T first, U second)
        {
            await Task.Delay(2);
            return first is null ? default! : second;
        }
    }

    struct Value
    {
        public int Number;

        public async Task<int> Instance()
        {
            await Task.Delay(2);
            return Number;
        }
    }

    public static async Task All()
    {
        var sum = 0;
        for (var i = 0; i < 5; ++i)
        {
            sum += await OfValue();
            await OfValueTask();
            sum += await FromSource();
            sum += await new Generic<string>().Both("", 2);
            sum += (await new Generic<int>().Both(1, "ab")).Length;
            sum += await new Value { Number = 2 }.Instance();
            await foreach (var each in Stream()) sum += each;
            await Task.Run(async () => await Task.Delay(2));
            var done = new TaskCompletionSource();
            Fire(done);
            await done.Task;
            sum += await Pooled() - 3;
            await PooledNothing();
            sum += await Nested(3);
        }
        Console.WriteLine($"kinds {sum}");
    }

    static async ValueTask<int> OfValue()
    {
        await Task.Delay(2);
        return 2;
    }

    static async ValueTask OfValueTask()
    {
        await OfValue().ConfigureAwait(false);
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    static async ValueTask<int> Pooled()
    {
        await PooledNothing();
        await Task.Delay(1);
        return 3;
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder))]
    static async ValueTask PooledNothing() => await Task.Delay(2);

    static async Task<int> FromSource() => await new Source().Start();

    static async IAsyncEnumerable<int> Stream()
    {
        for (var i = 0; i < 2; ++i)
        {
            await Task.Delay(1);
            yield return i;
        }
    }

    static async void Fire(TaskCompletionSource done)
    {
        await Task.Delay(2);
        done.SetResult();
    }

    static async Task<int> Nested(int depth)
    {
        if (depth == 0)
        {
            await Task.Delay(2);
            return 2;
        }
        return await Nested(depth - 1);
    }
}

// N calls that other threads go on with at once, of what one object stands for again and again.
static class Again
{
    public static async Task All(int number)
    {
        var sum = 0;
        await foreach (var each in Stream(number)) sum += each;
        for (var i = 0; i < number; ++i) sum += await Pooled();
        Console.WriteLine($"again {sum}");
    }

    static async IAsyncEnumerable<int> Stream(int number)
    {
        for (var i = 0; i < number; ++i)
        {
            await Task.Yield();
            yield return 1;
        }
    }

    [AsyncMethodBuilder(typeof(PoolingAsyncValueTaskMethodBuilder<>))]
    static async ValueTask<int> Pooled()
    {
        await Task.Yield();
        return 1;
    }
}

// Tasks that nobody ever completes.
static class Pending
{
    public static async Task All()
    {
        var never = new TaskCompletionSource();
        for (var i = 0; i < 7; ++i) _ = Forgotten(never.Task);
        await Task.Delay(100);
        Console.WriteLine("pending");
        GC.KeepAlive(never);
    }

    static async Task Forgotten(Task task)
    {
        await task; // never comes
    }
}

// What goes on inside another's completion, on its thread, and computes there.
static class Inline
{
    public static async Task All()
    {
        for (var i = 0; i < 5; ++i)
        {
            var source = new TaskCompletionSource();
            var heavy = Heavy(source.Task);
            await Light(source);
            await heavy;
        }
        Console.WriteLine("inline");
    }

    static async Task Light(TaskCompletionSource source)
    {
        await Task.Delay(1);
        source.SetResult();
        await Task.Delay(1);
    }

    static async Task Heavy(Task task)
    {
        await task;
        var clock = Stopwatch.StartNew();
        while (clock.ElapsedMilliseconds < 50)
        {
        }
        await Task.Delay(1);
    }
}

// Computes and blocks behind awaits, on other threads than it began on.
static class Busy
{
    public static async Task All()
    {
        await Task.WhenAll(Enumerable.Range(0, 2).Select(_ => Page()));
        Console.WriteLine("busy");
    }

    static async Task Page()
    {
        for (var i = 0; i < 5; ++i) await Body(i);
    }

    static async Task Body(int i)
    {
        await Task.Yield();
        Compute();
        await Task.Delay(1).ConfigureAwait(false);
        Block();
        Fill();
    }

    static void Compute()
    {
        var clock = Stopwatch.StartNew();
        while (clock.ElapsedMilliseconds < 60)
        {
        }
    }

    static void Block() => Thread.Sleep(60);

    static byte[] kept = [];

    static void Fill()
    {
        for (var i = 0; i < 40; ++i) kept = new byte[100_000];
    }
}

// Computes on threads of the pool what it hands to them.
static class Handed
{
    public static async Task All()
    {
        for (var i = 0; i < 5; ++i) await Both(i);
        Console.WriteLine("handed");
    }

    static async Task Both(int i)
    {
        await Task.Run(() => Plain(i));
        await Task.Run(async () =>
        {
            await Task.Yield();
            Async();
        });
    }

    static void Plain(int i) => Compute(60 + i);

    static void Async() => Compute(60);

    static void Compute(int ms)
    {
        var clock = Stopwatch.StartNew();
        while (clock.ElapsedMilliseconds < ms)
        {
        }
    }
}

// N suspensions that last no time: what they cost.
static class Suspensions
{
    public static async Task All(int number)
    {
        await Some(number / 10);
        var clock = Stopwatch.StartNew();
        await Some(number);
        Console.WriteLine($"suspensions {clock.Elapsed.TotalMilliseconds * 1e6 / number:F1} ns");
    }

    static async Task Some(int number)
    {
        for (var i = 0; i < number; ++i) await Task.Yield();
    }
}
