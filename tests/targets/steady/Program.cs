// Programs that hold memory and with which nothing is wrong: steady cache|pool|start SECONDS.
//   cache  the newest of what it is asked for, as many as it may keep, and the oldest goes
//   pool   buffers and objects that are used again
//   start  a table that is built up once and then asked
//   notes  the last of what was noted, each as the array of `params`
using System.Buffers;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Security.Cryptography;
using System.Text;

var time = TimeSpan.FromSeconds(double.Parse(args[1], CultureInfo.InvariantCulture));
Console.WriteLine(args[0] switch
{
    "cache" => Cache.Run(time),
    "pool" => Pools.Run(time),
    "start" => Table.Run(time),
    "notes" => Notes.Run(time),
    _ => throw new ArgumentException($"unknown: {args[0]}"),
});

static class Cache
{
    const int Limit = 5_000, Keys = 100_000;

    sealed record Page(int Id, byte[] Hash, string Body);

    static readonly Dictionary<int, LinkedListNode<Page>> byId = new();
    static readonly LinkedList<Page> byUse = new();
    static long loaded;

    static Page Get(int id)
    {
        if (byId.TryGetValue(id, out var node))
        {
            byUse.Remove(node);
            byUse.AddFirst(node);
            return node.Value;
        }
        var page = Load(id);
        byId[id] = byUse.AddFirst(page);
        if (byId.Count > Limit) Evict();
        return page;
    }

    static Page Load(int id)
    {
        loaded++;
        var text = new StringBuilder(2000);
        for (int i = 0; i < 50; i++) text.Append("<li>").Append(i * id).Append("</li>");
        string body = text.ToString();
        return new Page(id, SHA256.HashData(Encoding.UTF8.GetBytes(body)), body);
    }

    static void Evict()
    {
        var oldest = byUse.Last!;
        byUse.RemoveLast();
        byId.Remove(oldest.Value.Id);
    }

    // Few are asked for often: of the others one may be met again or not.
    public static string Run(TimeSpan time)
    {
        var random = new Random(28);
        var clock = Stopwatch.StartNew();
        long asked = 0, sum = 0;
        for (; clock.Elapsed < time; asked++)
        {
            int keys = asked % 10 == 0 ? Keys : Limit / 2;
            foreach (char c in Get(random.Next(keys)).Body) sum += c;
        }
        return $"{byId.Count} pages kept, {asked} asked for, {loaded} loaded, sum {sum}";
    }
}

static class Pools
{
    static readonly ConcurrentBag<StringBuilder> builders = new();

    static int Render(int id)
    {
        var buffer = ArrayPool<byte>.Shared.Rent(32 * 1024);
        if (!builders.TryTake(out var text)) text = new StringBuilder();
        for (int i = 0; i < 500; i++) text.Append("row ").Append(i * id).Append('\n');
        int length = 0;
        foreach (var chunk in text.GetChunks()) length += Encoding.UTF8.GetBytes(chunk.Span, buffer.AsSpan(length));
        text.Clear();
        builders.Add(text);
        ArrayPool<byte>.Shared.Return(buffer);
        return length;
    }

    public static string Run(TimeSpan time)
    {
        long pages = 0, bytes = 0;
        Parallel.For(0, Environment.ProcessorCount, worker =>
        {
            var clock = Stopwatch.StartNew();
            for (int i = 0; clock.Elapsed < time; i++)
            {
                Interlocked.Add(ref bytes, Render(i));
                Interlocked.Increment(ref pages);
            }
        });
        return $"{pages} pages, {bytes} bytes, {builders.Count} builders";
    }
}

static class Table
{
    static readonly Dictionary<string, List<int>> places = new();

    static void Build()
    {
        for (int i = 0; i < 300_000; i++)
        {
            string word = "word" + (i % 60_000);
            if (!places.TryGetValue(word, out var list)) places[word] = list = [];
            list.Add(i);
        }
    }

    public static string Run(TimeSpan time)
    {
        Build();
        var words = places.Keys.ToArray();
        var clock = Stopwatch.StartNew();
        long found = 0;
        for (int i = 0; clock.Elapsed < time; i++)
            foreach (int place in places[words[i % words.Length]]) found += place & 1;
        return $"{places.Count} words, {found} found";
    }
}

static class Notes
{
    static readonly object[][] last = new object[100][];
    static readonly string[] places = ["gate", "hall", "yard", "well", "mill"];
    static int count;

    static void Note(params object[] all) => last[count++ % last.Length] = all;

    static void Visit(int number)
    {
        Note("{0}: {1} by {2}, {3}, {4}", number, places[0], places[1], places[2], places[3]);
        Note("{0} and {1}", places[3], places[4]);
    }

    public static string Run(TimeSpan time)
    {
        var clock = Stopwatch.StartNew();
        long steps = 0;
        for (int i = 0; clock.Elapsed < time; i++)
        {
            Visit(i);
            for (int step = 0; step < 500; step++) steps += (steps ^ step) & 7;
        }
        return $"{count} notes, {steps} steps";
    }
}
