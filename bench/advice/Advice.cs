// What hints advise, tried: each fault as hints tell of it, and the same work with the advice followed. Advice NAME as-is|mended
// prints how many nanoseconds a round takes once everything is compiled.
using System.Buffers;
using System.Collections;
using System.Collections.Concurrent;
using System.Diagnostics;
using System.Globalization;
using System.Reflection;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;
using Microsoft.Extensions.Logging;

var pairs = new Dictionary<string, (Func<long> AsIs, Func<long> Mended)>
{
    ["regex-made"] = (Routes.Made, Routes.Kept),
    ["regex, interpreted"] = (Names.Interpreted, Names.Compiled),
    ["regex, repeats repeated"] = (Names.Nested, Names.Plain),
    ["json-options"] = (Orders.Made, Orders.Kept),
    ["reflection"] = (Mapper.Reflect, Mapper.ByDelegate),
    ["struct-equality"] = (Visits.Plain, Visits.Record),
    ["culture"] = (Reader.ByCulture, Reader.Ordinal),
    ["concatenation"] = (Listing.Joined, Listing.Built),
    ["linq"] = (Stock.Linq, Stock.Loop),
    ["formatting"] = (Checkout.Interpolated, Checkout.AskedFirst),
    ["boxing"] = (Scores.Boxed, Scores.Generic),
    ["locks-taken in a loop"] = (Counter.InLoop, Counter.AroundLoop),
    ["locks-taken by Count"] = (Counter.ByCount, Counter.ByOwnCount),
    ["page-faults"] = (Thumbnails.Made, Thumbnails.Rented),
    ["exceptions"] = (Input.Caught, Input.Asked),
    ["induced-gc"] = (Cleaner.ByHand, Cleaner.Left),
    ["json-options, handles"] = (Orders.MadeAndCollected, Orders.KeptAndCollected),
    ["regex-made, static"] = (Routes.Static, Routes.Kept),
    ["log-formatting"] = (Checkout.Formatted, Checkout.Generated),
    ["handles"] = (Handles.Kept, Handles.Freed),
    ["finalizers"] = (Files.LeftToFinalizers, Files.Disposed),
    ["pinned"] = (Buffers.Pinned, Buffers.Placed),
    ["lock, less in it"] = (Till.AllInLock, Till.LittleInLock),
    ["lock, one for each part"] = (Till.AllInLock, Till.ForEachPart),
    ["pool-blocked, tasks"] = (Pages.Blocked, Pages.Awaited),
    ["pool-blocked, sleeps"] = (Pages.Slept, Pages.Awaited),
    ["network"] = (Shelf.OneByOne, Shelf.Together),
    ["disk"] = (Journal.Each, Journal.AtOnce),
    ["imbalance, largest first"] = (Orchard.AsTheyAre, Orchard.LargestFirst),
    ["imbalance, smaller parts"] = (Orchard.AsTheyAre, Orchard.InSmallerParts),
    ["context"] = (Desk.Back, Desk.Anywhere),
    ["false-sharing"] = (Votes.SideBySide, Votes.InLocal),
};
if (args.Length == 0)
{
    Console.WriteLine(string.Join('\n', pairs.Keys));
    return 0;
}
CultureInfo.CurrentCulture = new CultureInfo("de-DE");
var work = args[1] == "mended" ? pairs[args[0]].Mended : pairs[args[0]].AsIs;
long kept = 0;
var clock = Stopwatch.StartNew();
while (clock.ElapsedMilliseconds < 800) kept += work();
long rounds = 0;
clock.Restart();
for (; clock.ElapsedMilliseconds < 800; rounds++) kept += work();
Console.WriteLine((clock.Elapsed.TotalNanoseconds / rounds).ToString("0", CultureInfo.InvariantCulture));
return kept < 0 ? 1 : 0;

static class Routes
{
    const string Pattern = "^/shop/(?<category>[a-z]+)/(?<id>\\d+)(/|\\?.*)?$";
    static readonly Regex Known = new(Pattern);

    public static long Made() => new Regex(Pattern).IsMatch("/shop/tea/4711") ? 1 : 0;
    public static long Kept() => Known.IsMatch("/shop/tea/4711") ? 1 : 0;

    static int number;

    // More patterns than the static methods remember.
    public static long Static() => Regex.IsMatch("/shop/tea/4711", Pattern + new string(' ', number++ % 30)) ? 1 : 0;
}

static class Names
{
    const string Route = "^/shop/(?<category>[a-z]+)/(?<id>\\d+)(/|\\?.*)?$";
    static readonly Regex Interpreter = new(Route), Code = new(Route, RegexOptions.Compiled);
    static readonly Regex Repeats = new("^(\\w+)+$"), Repeat = new("^\\w+$");

    public static long Interpreted() => Interpreter.IsMatch("/shop/tea/4711") ? 1 : 0;
    public static long Compiled() => Code.IsMatch("/shop/tea/4711") ? 1 : 0;
    public static long Nested() => Repeats.IsMatch("aaaaaaaaaaaa!") ? 1 : 0;
    public static long Plain() => Repeat.IsMatch("aaaaaaaaaaaa!") ? 1 : 0;
}

static class Orders
{
    record Order(int Id, string Customer, decimal Total);

    static readonly JsonSerializerOptions Known = new() { PropertyNamingPolicy = JsonNamingPolicy.CamelCase };

    static long Text(JsonSerializerOptions options) => JsonSerializer.Serialize(new Order(1, "Ada", 12.5m), options).Length;
    public static long Made() => Text(new JsonSerializerOptions { PropertyNamingPolicy = JsonNamingPolicy.CamelCase });
    public static long Kept() => Text(Known);

    static long Many(Func<long> one)
    {
        long sum = 0;
        for (int i = 0; i < 2000; i++) sum += one();
        return sum;
    }
    public static long MadeAndCollected() => Many(Made);
    public static long KeptAndCollected() => Many(Kept);
}

static class Mapper
{
    class Item { public string Name { get; set; } = "tea"; }

    static readonly PropertyInfo Name = typeof(Item).GetProperty("Name")!;
    static readonly Func<Item, string> Get = Name.GetMethod!.CreateDelegate<Func<Item, string>>();
    static readonly Action<Item, string> Set = Name.SetMethod!.CreateDelegate<Action<Item, string>>();
    static readonly Item From = new(), To = new();

    public static long Reflect()
    {
        typeof(Item).GetProperty("Name")!.SetValue(To, typeof(Item).GetProperty("Name")!.GetValue(From));
        return To.Name.Length;
    }

    public static long ByDelegate()
    {
        Set(To, Get(From));
        return To.Name.Length;
    }
}

static class Visits
{
    struct Place { public string City; public int Number; }
    record struct Where(string City, int Number);

    static readonly Dictionary<Place, int> ByPlace = Enumerable.Range(0, 50).ToDictionary(i => new Place { City = "Ghent", Number = i });
    static readonly Dictionary<Where, int> ByWhere = Enumerable.Range(0, 50).ToDictionary(i => new Where("Ghent", i));

    public static long Plain() => ByPlace[new Place { City = "Ghent", Number = 7 }];
    public static long Record() => ByWhere[new Where("Ghent", 7)];
}

static class Reader
{
    static readonly string Text = string.Join(' ', Enumerable.Repeat("das Teehaus am Fluß", 20));
    static readonly string[] Words = Text.Split(' ');

    public static long ByCulture() => Text.IndexOf("Kaffeehaus") + Words.Order().Count();
    public static long Ordinal() => Text.IndexOf("Kaffeehaus", StringComparison.Ordinal) + Words.Order(StringComparer.Ordinal).Count();
}

static class Listing
{
    public static long Joined()
    {
        var text = "";
        for (int i = 0; i < 1000; i++) text += "line ";
        return text.Length;
    }

    public static long Built()
    {
        var text = new StringBuilder();
        for (int i = 0; i < 1000; i++) text.Append("line ");
        return text.ToString().Length;
    }
}

static class Stock
{
    static readonly int[] Prices = Enumerable.Range(0, 1000).ToArray();

    public static long Linq() => Prices.Skip(1).Select(price => price * 2).Where(price => price > 100).LongCount();

    public static long Loop()
    {
        long dear = 0;
        for (int i = 1; i < Prices.Length; i++)
            if (Prices[i] * 2 > 100) dear++;
        return dear;
    }
}

static partial class Checkout
{
    static readonly ILogger Log = LoggerFactory.Create(logging => logging.SetMinimumLevel(LogLevel.Warning)).CreateLogger("checkout");
    static int item;

    public static long Interpolated()
    {
        Log.LogDebug($"item {item++} of order {4711}");
        return 1;
    }

    static readonly ILogger Open = LoggerFactory.Create(logging => logging.AddProvider(new Nowhere())).CreateLogger("checkout");

    // Writes what it is given to nobody, as text.
    sealed class Nowhere : ILoggerProvider, ILogger
    {
        long length;
        public ILogger CreateLogger(string name) => this;
        public IDisposable? BeginScope<T>(T state) where T : notnull => null;
        public bool IsEnabled(LogLevel level) => true;
        public void Log<T>(LogLevel level, EventId id, T state, Exception? error, Func<T, Exception?, string> text) =>
            length += text(state, error).Length;
        public void Dispose() { }
    }

    [LoggerMessage(Level = LogLevel.Information, Message = "item {Item} of order {Order}")]
    static partial void Tell(ILogger log, int item, int order);

    public static long Formatted()
    {
        Open.LogInformation("item {Item} of order {Order}", item++, 4711);
        return 1;
    }

    public static long Generated()
    {
        Tell(Open, item++, 4711);
        return 1;
    }

    public static long AskedFirst()
    {
        if (Log.IsEnabled(LogLevel.Debug)) Log.LogDebug("item {Item} of order {Order}", item++, 4711);
        return 1;
    }
}

static class Scores
{
    public static long Boxed()
    {
        var scores = new ArrayList(1000);
        for (int i = 0; i < 1000; i++) scores.Add(i);
        long sum = 0;
        foreach (int score in scores) sum += score;
        return sum;
    }

    public static long Generic()
    {
        var scores = new List<int>(1000);
        for (int i = 0; i < 1000; i++) scores.Add(i);
        long sum = 0;
        foreach (int score in scores) sum += score;
        return sum;
    }
}

static class Counter
{
    static readonly object Gate = new();
    static readonly ConcurrentDictionary<int, int> ById = new(Enumerable.Range(0, 10).ToDictionary(i => i));
    static int count;

    public static long InLoop()
    {
        for (int i = 0; i < 1000; i++)
            lock (Gate) count++;
        return count & 1;
    }

    public static long AroundLoop()
    {
        lock (Gate)
            for (int i = 0; i < 1000; i++) count++;
        return count & 1;
    }

    public static long ByCount() => ById.Count;
    public static long ByOwnCount() => Volatile.Read(ref count) & 1;
}

static class Thumbnails
{
    static long Render(byte[] buffer)
    {
        for (int i = 0; i < 8_000_000; i += 4096) buffer[i] = 1;
        return buffer[4096];
    }

    public static long Made() => Render(new byte[8_000_000]);

    public static long Rented()
    {
        var buffer = ArrayPool<byte>.Shared.Rent(8_000_000);
        long result = Render(buffer);
        ArrayPool<byte>.Shared.Return(buffer);
        return result;
    }
}

static class Input
{
    public static long Caught()
    {
        try { return int.Parse("seven"); }
        catch (FormatException) { return 0; }
    }

    public static long Asked() => int.TryParse("seven", out int value) ? value : 0;
}

static class Cleaner
{
    static readonly List<object> Kept = Enumerable.Range(0, 200_000).Select(i => (object)new int[4]).ToList();

    static long Work()
    {
        long sum = Kept.Count;
        for (int i = 0; i < 1000; i++) sum += new byte[100].Length;
        return sum;
    }

    public static long ByHand()
    {
        long sum = Work();
        GC.Collect();
        return sum;
    }

    public static long Left() => Work();
}
