// Programs with one known fault each: answers NAME [MS]. A profiler's first screen is to name it.
using System.Collections;
using System.Collections.Concurrent;
using System.Globalization;
using System.Runtime.CompilerServices;
using System.Text.Json;
using System.Text.RegularExpressions;
using Microsoft.Extensions.Logging;

var work = new Dictionary<string, Func<long>>
{
    ["regex"] = Names.CountValid,
    ["regex-made"] = Routes.CountMatches,
    ["json-options"] = Orders.RenderAll,
    ["reflection"] = Mapper.CopyAll,
    ["concatenation"] = Listing.Build,
    ["linq"] = Stock.CountDear,
    ["culture"] = Reader.CountShops,
    ["struct-equality"] = Visits.Count,
    ["locks-taken"] = Visitors.Sum,
    ["exceptions"] = Input.SumNumbers,
    ["quadratic"] = Duplicates.Find,
    ["boxing"] = Scores.Sum,
    ["large-objects"] = Thumbnails.Render,
    ["logging"] = Checkout.Run,
    ["cache-misses"] = Picture.Brightness,
    ["event-leak"] = Pages.Open,
    ["cache"] = Prices.Look,
    ["induced"] = Cleaner.Run,
    ["filled-once"] = Table.Fill,
    ["at-limit"] = Shelf.Sell,
    ["start"] = Rules.CountFitting,
}[args[0]];
long sum = 0;
int ms = args.Length > 1 ? int.Parse(args[1]) : 1500;
// By processor time: on a busy machine it runs longer, and what is wrong costs as much as on an idle one.
for (long left = ms; left > 0; left = ms - (long)Environment.CpuUsage.TotalTime.TotalMilliseconds)
    for (var start = Environment.TickCount64; Environment.TickCount64 - start < left;) sum += work();
Console.WriteLine(sum >= 0 ? "done" : "");

// A pattern with nested repeats, which backtracks in ways that double with each letter.
static class Names
{
    static readonly Regex Pattern = new("^(\\w+)+$");

    public static long CountValid() => Pattern.IsMatch("aaaaaaaaaaaaaaaaaaaa!") ? 1 : 0;
}

// Words are looked for by the rules of the user's language.
static class Reader
{
    static readonly string Text = string.Join(' ', Enumerable.Repeat("das Teehaus am Fluß", 20));

    static Reader() => CultureInfo.CurrentCulture = new CultureInfo("de-DE");

    public static long CountShops() => Text.IndexOf("Kaffeehaus") + 1;
}

// The runtime compares such keys field by field, which it has to look up each time.
static class Visits
{
    struct Place
    {
        public string City;
        public int Number;
    }

    static readonly Dictionary<Place, int> ByPlace = Enumerable.Range(0, 50).ToDictionary(i => new Place { City = "Ghent", Number = i });

    public static long Count()
    {
        long sum = 0;
        for (int i = 0; i < 50; i++) sum += ByPlace[new Place { City = "Ghent", Number = i }];
        return sum;
    }
}

// All locks of the dictionary are taken for each count.
static class Visitors
{
    static readonly ConcurrentDictionary<int, int> ById = new(Enumerable.Range(0, 10).ToDictionary(i => i));

    public static long Sum()
    {
        long sum = 0;
        for (int i = 0; i < 1000; i++) sum += ById.Count;
        return sum;
    }
}

// The same pattern made again for each request.
static class Routes
{
    public static long CountMatches()
    {
        var pattern = new Regex("^/shop/(?<category>[a-z]+)/(?<id>\\d+)(/|\\?.*)?$");
        return pattern.IsMatch("/shop/tea/4711") ? 1 : 0;
    }
}

// Each page that is opened listens to the clock, which keeps it for good.
static class Pages
{
    static event Action? Ticked;

    sealed class Page
    {
        readonly byte[] text = new byte[20_000];
        public Page() => Ticked += Update;
        void Update() => text[0]++;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static long Open()
    {
        for (int i = 0; i < 20; i++) GC.KeepAlive(new Page());
        Thread.Sleep(1);
        return 1;
    }
}

// A cache that nothing is ever taken out of.
static class Prices
{
    static readonly Dictionary<long, byte[]> Known = [];
    static long asked;

    public static long Look()
    {
        for (int i = 0; i < 300; i++) Known[asked++] = new byte[1000];
        Thread.Sleep(1);
        return Known.Count;
    }
}

// Collecting by hand after each piece of work.
static class Cleaner
{
    static readonly List<object> Kept = Enumerable.Range(0, 200_000).Select(i => (object)new int[4]).ToList();

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static long Run()
    {
        long sum = Kept.Count;
        for (int i = 0; i < 1000; i++) sum += new byte[100].Length;
        GC.Collect();
        return sum;
    }
}

// Much memory at the start that stays: no leak.
static class Table
{
    static readonly List<byte[]> Rows = [];

    public static long Fill()
    {
        while (Rows.Count < 200_000) Rows.Add(new byte[500]);
        long sum = 0;
        for (int i = 0; i < 2000; i++) sum += new byte[1000].Length;
        if (Environment.TickCount64 % 10 == 0) GC.Collect();
        return sum;
    }
}

// A cache that takes all the room there is, and gives a little of it back where there is none left.
static class Shelf
{
    static readonly List<byte[]> Rows = new(1_000_000);

    // Collections that find room come first: it is from the first on that is told what they are for.
    static Shelf()
    {
        for (long start = Environment.TickCount64; Environment.TickCount64 - start < 500;) GC.KeepAlive(new byte[1000]);
    }

    public static long Sell()
    {
        try
        {
            for (int i = 0; i < 20_000; i++) Rows.Add(new byte[1000]);
        }
        catch (OutOfMemoryException)
        {
            Rows.RemoveRange(Rows.Count - 3000, 3000);
        }
        return Rows.Count;
    }
}

// Options, and with them all that the serializer finds out of types, made again for each answer.
static class Orders
{
    record Order(int Id, string Customer, decimal Total);

    public static long RenderAll()
    {
        var options = new JsonSerializerOptions { PropertyNamingPolicy = JsonNamingPolicy.CamelCase };
        return JsonSerializer.Serialize(new Order(1, "Ada", 12.5m), options).Length;
    }
}

// Properties looked up by name, and read and written by reflection, for each object.
static class Mapper
{
    class Source { public string Name { get; set; } = "tea"; public object Price { get; set; } = 3; }
    class Target { public string Name { get; set; } = ""; public object Price { get; set; } = 0; }

    public static long CopyAll()
    {
        var source = new Source();
        var target = new Target();
        foreach (var from in typeof(Source).GetProperties())
            typeof(Target).GetProperty(from.Name)!.SetValue(target, from.GetValue(source));
        return target.Name.Length;
    }
}

// A text that is copied for each line that is added to it.
static class Listing
{
    public static long Build()
    {
        var text = "";
        for (int i = 0; i < 4000; i++) text += "line ";
        return text.Length;
    }
}

// A pipeline of iterators where a loop would do.
static class Stock
{
    static readonly int[] Prices = Enumerable.Range(0, 10_000).ToArray();

    public static long CountDear() =>
        Prices.Skip(1).Select(price => price * 2).Where(price => price > 100).Distinct().OrderBy(price => price).LongCount();
}

// Exceptions where a question would do.
static class Input
{
    public static long SumNumbers()
    {
        long sum = 0;
        for (int i = 0; i < 20; i++)
        {
            try { sum += int.Parse(i % 2 == 0 ? "seven" : "7"); }
            catch (FormatException) { sum++; }
        }
        return sum;
    }
}

// Each item compared with all others, in a lambda.
static class Duplicates
{
    static readonly int[] Items = Enumerable.Range(0, 2000).ToArray();

    public static long Find()
    {
        long found = 0;
        // Inlined it would be shown where it is called.
        Action<int> look = [MethodImpl(MethodImplOptions.NoInlining)] (item) =>
        {
            for (int i = 0; i < Items.Length; i++)
                if (Items[i] == item) found++; // the hot line
        };
        foreach (var item in Items) look(item);
        return found;
    }
}

// Numbers kept in a collection of objects: each is put into a box of its own.
static class Scores
{
    public static long Sum()
    {
        var scores = new ArrayList(1000);
        for (int i = 0; i < 1000; i++)
            scores.Add(i);
        long sum = 0;
        foreach (int score in scores) sum += score;
        return sum;
    }
}

// A buffer of the large object heap for each picture, where one would do for all.
static class Thumbnails
{
    public static long Render()
    {
        var buffer = new byte[400_000];
        for (int i = 0; i < buffer.Length; i += 4096) buffer[i] = 1;
        return buffer.Length;
    }
}

// Texts for a log that nobody has switched on.
static class Checkout
{
    static readonly ILogger Log = LoggerFactory.Create(logging => logging.SetMinimumLevel(LogLevel.Warning)).CreateLogger("checkout");

    public static long Run()
    {
        for (int i = 0; i < 1000; i++) Log.LogDebug($"item {i} of order {4711} costs {i * 1.5m:F2}, at {DateTime.UnixEpoch:O}");
        return 1;
    }
}

// A table walked by columns that lies in memory by rows.
static class Picture
{
    const int Size = 4096;
    static readonly int[] Pixels = new int[Size * Size];

    public static long Brightness()
    {
        long sum = 0;
        for (int x = 0; x < Size; x++)
            for (int y = 0; y < Size; y++)
                sum += Pixels[y * Size + x]; // the line that misses
        return sum;
    }
}

// A start that compiles much and runs each of it a little: rules that are made of others, each a method of its own to the
// compiler, whose calls are counted for it to be compiled better later, which never comes.
static class Rules
{
    interface IRule { bool Fits(int order); }
    class Even : IRule { public bool Fits(int order) => order % 2 == 0; }
    class Small : IRule { public bool Fits(int order) => order < 100; }
    struct Not<T> { }
    struct Also<T> { }

    static readonly IRule[] All = [new Even(), new Small()];

    public static long CountFitting() => Check<int>(9);

    static long Check<T>(int depth) where T : struct
    {
        long fitting = 0;
        for (int order = 0; order < 4000; order++)
            if (All[order & 1].Fits(order)) fitting++; // the counted call
        return depth == 0 ? fitting : fitting + Check<Not<T>>(depth - 1) + Check<Also<T>>(depth - 1);
    }
}
