// What hints of waits, locks and the pool advise.
using System.Net;
using System.Net.Sockets;

// A lock that is held for work that does not need it; one for all, and one for each part.
static class Till
{
    const int Rounds = 2000;
    static readonly object gate = new();
    static readonly object[] gates = [new(), new()];
    static readonly long[] sums = new long[16];

    static long Work(int number)
    {
        long sum = number;
        for (int i = 0; i < 300; i++) sum = sum * 31 + i;
        return sum;
    }

    static long OnTwo(Action<int> work)
    {
        var threads = new[] { 0, 1 }.Select(part => new Thread(() => { for (int i = 0; i < Rounds; i++) work(part); })).ToArray();
        foreach (var thread in threads) thread.Start();
        foreach (var thread in threads) thread.Join();
        return sums[0] & 1;
    }

    public static long AllInLock() => OnTwo(part => { lock (gate) sums[0] += Work(part); });

    public static long LittleInLock() => OnTwo(part =>
    {
        long sum = Work(part);
        lock (gate) sums[0] += sum;
    });

    public static long ForEachPart() => OnTwo(part => { lock (gates[part]) sums[part * 8] += Work(part); });
}

// Threads of the pool that wait for tasks.
static class Pages
{
    static async Task<int> Load()
    {
        await Task.Delay(2);
        return 1;
    }

    static long All(Func<int> page)
    {
        using var done = new CountdownEvent(64);
        for (int i = 0; i < 64; i++) ThreadPool.QueueUserWorkItem(_ => { page(); done.Signal(); });
        done.Wait();
        return 1;
    }

    public static long Blocked() => All(() => Load().Result);
    public static long Slept() => All(() => { Thread.Sleep(2); return 1; });
    public static long Awaited() => Task.WhenAll(Enumerable.Range(0, 64).Select(_ => Task.Run(Load))).Result.Length;
}

// A server that takes a while for each answer.
static class Shelf
{
    static readonly HttpListener listener = new();
    static readonly HttpClient client = new();
    static readonly string address = Listen();

    static string Listen()
    {
        using var free = new TcpListener(IPAddress.Loopback, 0);
        free.Start();
        string at = $"http://127.0.0.1:{((IPEndPoint)free.LocalEndpoint).Port}/";
        free.Stop();
        listener.Prefixes.Add(at);
        listener.Start();
        _ = Task.Run(async () =>
        {
            while (true) _ = Answer(await listener.GetContextAsync());
        });
        return at;
    }

    static async Task Answer(HttpListenerContext context)
    {
        await Task.Delay(3);
        context.Response.Close();
    }

    public static long OneByOne()
    {
        long sum = 0;
        for (int i = 0; i < 8; i++) sum += client.GetByteArrayAsync(address).Result.Length;
        return sum;
    }

    public static long Together() =>
        Task.WhenAll(Enumerable.Range(0, 8).Select(_ => client.GetByteArrayAsync(address))).Result.Length;
}

static class Journal
{
    static readonly byte[] line = new byte[100];
    static readonly FileStream file = new(Path.Combine(Path.GetTempPath(), $"advice-{Environment.ProcessId}"), FileMode.Create,
                                          FileAccess.Write, FileShare.None, 4096, FileOptions.DeleteOnClose);

    static long Write(bool each)
    {
        for (int i = 0; i < 20; i++)
        {
            file.Write(line);
            if (each) file.Flush(flushToDisk: true);
        }
        file.Flush(flushToDisk: true);
        file.Position = 0;
        return 1;
    }

    public static long Each() => Write(true);
    public static long AtOnce() => Write(false);
}

static class Orchard
{
    static readonly int[] sizes = [100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 100, 6000];

    static long Pick(int trees)
    {
        long sum = 0;
        for (int i = 0; i < trees * 100; i++) sum = sum * 31 + i;
        return sum;
    }

    static long All(IEnumerable<int> parts)
    {
        long sum = 0;
        Parallel.ForEach(System.Collections.Concurrent.Partitioner.Create(parts, System.Collections.Concurrent.EnumerablePartitionerOptions.NoBuffering),
                         part => Interlocked.Add(ref sum, Pick(part)));
        return sum & 1;
    }

    public static long AsTheyAre() => All(sizes);
    public static long LargestFirst() => All(sizes.OrderDescending());
    public static long InSmallerParts() => All(sizes.SelectMany(size => Enumerable.Repeat(100, size / 100)));
}

// One thread that all that comes after awaits is sent to, and that has other things to do.
static class Desk
{
    sealed class Queue : SynchronizationContext
    {
        readonly System.Collections.Concurrent.BlockingCollection<(SendOrPostCallback, object?)> all = new();
        public override void Post(SendOrPostCallback call, object? state) => all.Add((call, state));
        public void Run(Task until)
        {
            while (!until.IsCompleted)
                if (all.TryTake(out var one, 0)) one.Item1(one.Item2);
                else Spin(200);
        }
    }

    static long Spin(int rounds)
    {
        long sum = 0;
        for (int i = 0; i < rounds * 50; i++) sum = sum * 31 + i;
        return sum;
    }

    static async Task<long> Letter(bool back)
    {
        long sum = 0;
        for (int i = 0; i < 20; i++)
        {
            await Task.Run(() => { }).ConfigureAwait(back);
            sum += Spin(300);
        }
        return sum;
    }

    static long All(bool back)
    {
        var queue = new Queue();
        var before = SynchronizationContext.Current;
        SynchronizationContext.SetSynchronizationContext(queue);
        var all = Task.WhenAll(Enumerable.Range(0, 4).Select(_ => Letter(back)).ToArray());
        queue.Run(all);
        SynchronizationContext.SetSynchronizationContext(before);
        return all.Result[0] & 1;
    }

    public static long Back() => All(true);
    public static long Anywhere() => All(false);
}

static class Votes
{
    static readonly long[] counts = new long[2];

    static long OnTwo(Action<int> work)
    {
        Parallel.Invoke(() => work(0), () => work(1));
        return counts[0] & 1;
    }

    public static long SideBySide() => OnTwo(part => { for (int i = 0; i < 200_000; i++) counts[part] += i & 3; });

    public static long InLocal() => OnTwo(part =>
    {
        long count = 0;
        for (int i = 0; i < 200_000; i++) count += i & 3;
        counts[part] += count;
    });
}
