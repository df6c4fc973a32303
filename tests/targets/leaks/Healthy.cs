using System.Buffers;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

public static class Healthy
{
    private const int Many = 1_000;

    private static readonly Dictionary<int, Order> s_cache = [];
    private static readonly Queue<int> s_oldest = new();
    // A cache of the last 1,000.
    public static void BoundedCache(int step)
    {
        for (var i = 0; i < Many; i++)
        {
            s_cache[step * Many + i] = new Order(i);
            s_oldest.Enqueue(step * Many + i);
            if (s_oldest.Count > Many) s_cache.Remove(s_oldest.Dequeue());
        }
    }

    private static readonly List<Order> s_warm = [];
    // It grows in the first steps, and then no more.
    public static void GrowingStart(int step)
    {
        if (step >= 2) return;
        for (var i = 0; i < 4 * Many; i++) s_warm.Add(new Order(i));
    }

    // Arrays that go back.
    public static void Pool(int step)
    {
        var rented = Enumerable.Range(0, 50).Select(_ => ArrayPool<byte>.Shared.Rent(40_000)).ToArray();
        foreach (var array in rented) ArrayPool<byte>.Shared.Return(array);
    }

    // Garbage.
    public static void Churn(int step)
    {
        for (var i = 0; i < 20 * Many; i++) s_last = new Order(i);
    }

    private static Order? s_last;

    private static readonly List<Order> s_batch = [];
    // A batch that is written when it is full: every third step.
    public static void Batches(int step)
    {
        for (var i = 0; i < Many; i++) s_batch.Add(new Order(i));
        if (step % 3 == 2) s_batch.Clear();
    }

    private static readonly List<WeakReference<Order>> s_weak = [];
    // What may go when memory is needed.
    public static void WeakCache(int step)
    {
        s_weak.RemoveAll(weak => !weak.TryGetTarget(out _));
        for (var i = 0; i < Many; i++) s_weak.Add(new WeakReference<Order>(new Order(i)));
        GC.Collect();
    }

    // Subscribers that leave.
    public static void Subscribers(int step)
    {
        var screens = Enumerable.Range(0, 200).Select(_ => new Screen()).ToArray();
        foreach (var screen in screens) Publisher.Changed += screen.Refresh;
        Publisher.Raise();
        foreach (var screen in screens) Publisher.Changed -= screen.Refresh;
    }

    private static Dictionary<string, Order> s_current = [];
    // A table that is made anew and replaces the last.
    public static void Reload(int step)
    {
        var made = new Dictionary<string, Order>();
        for (var i = 0; i < 2 * Many; i++) made[$"key {i}"] = new Order(i);
        s_current = made;
    }

    // Documents that are written and read.
    public static void Documents(int step)
    {
        for (var i = 0; i < 20; i++)
        {
            var text = JsonSerializer.Serialize(Enumerable.Range(0, 5_000).Select(number => new { number, name = $"item {number}" }));
            using var document = JsonDocument.Parse(text);
            s_items += document.RootElement.GetArrayLength();
        }
    }

    private static int s_items;

    // Tasks that end, timers that are disposed.
    public static void Tasks(int step)
    {
        Task.WaitAll(Enumerable.Range(0, Many).Select(async i =>
        {
            var order = new Order(i);
            await Task.Yield();
            using var timer = new Timer(_ => { }, order, TimeSpan.FromHours(1), TimeSpan.FromHours(1));
        }).ToArray());
    }

    private static readonly long[] s_histogram = new long[500_000];
    // Large, and all of it from the beginning.
    public static void Histogram(int step)
    {
        var random = new Random(step);
        for (var i = 0; i < 1_000_000; i++) s_histogram[random.Next(s_histogram.Length)]++;
    }

    // Text that is built and thrown away.
    public static void Text(int step)
    {
        var builder = new StringBuilder();
        for (var i = 0; i < 100_000; i++) builder.Append(i).Append(' ');
        s_items += Regex.Matches(builder.ToString(), "9+ ").Count;
    }
}
