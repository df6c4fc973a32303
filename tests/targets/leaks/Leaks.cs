using System.Collections.Concurrent;
using System.Runtime.InteropServices;
using System.Threading.Channels;

public static class Leaks
{
    private const int Many = 1_000;

    private static readonly Dictionary<int, Order> s_orders = [];
    // A cache without a bound.
    public static void StaticDictionary(int step)
    {
        for (var i = 0; i < Many; i++) s_orders[step * Many + i] = new Order(i);
    }

    // Subscribers that are never unsubscribed.
    public static void EventHandlers(int step)
    {
        for (var i = 0; i < 200; i++) Publisher.Changed += new Screen().Refresh;
    }

    private static readonly ConcurrentDictionary<string, Session> s_sessions = new();
    // Sessions that never expire.
    public static void Sessions(int step)
    {
        for (var i = 0; i < Many; i++) s_sessions.TryAdd($"session {step} {i}", new Session());
    }

    // Timers that are never disposed.
    public static void Timers(int step)
    {
        for (var i = 0; i < Many; i++)
        {
            var job = new Job();
            job.Timer = new Timer(job.Run, null, TimeSpan.FromHours(1), TimeSpan.FromHours(1));
        }
    }

    // GC handles that are never freed.
    public static void GcHandles(int step)
    {
        for (var i = 0; i < Many; i++) GCHandle.Alloc(new Pixels());
    }

    private static readonly CancellationTokenSource s_shutdown = new();
    // Registrations at a token that lives as long as the program.
    public static void Registrations(int step)
    {
        for (var i = 0; i < Many; i++)
        {
            var request = new Request();
            s_shutdown.Token.Register(request.Cancel);
        }
    }

    private static readonly Channel<Message> s_messages = Channel.CreateUnbounded<Message>();
    // A producer that is faster than its consumer.
    public static void UnboundedChannel(int step)
    {
        for (var i = 0; i < Many; i++) s_messages.Writer.TryWrite(new Message());
        for (var i = 0; i < 10; i++) s_messages.Reader.TryRead(out _);
    }

    private static readonly TaskCompletionSource s_never = new();
    // Calls that wait for what never comes.
    public static void NeverFinished(int step)
    {
        for (var i = 0; i < Many; i++) _ = Handle(new Request());
    }

    private static async Task Handle(Request request)
    {
        await s_never.Task;
        request.Cancel();
    }

    private static readonly List<long> s_latencies = [];
    // One array that is large, not many objects.
    public static void OneList(int step)
    {
        for (var i = 0; i < 250_000; i++) s_latencies.Add(i);
    }

    [ThreadStatic] private static List<Order>? t_pending;
    // What each thread keeps for itself.
    public static void ThreadStatic(int step)
    {
        t_pending ??= [];
        for (var i = 0; i < Many; i++) t_pending.Add(new Order(i));
    }

    private static readonly List<Func<int>> s_callbacks = [];
    // A lambda that keeps more than it needs.
    public static void Closures(int step)
    {
        for (var i = 0; i < Many; i++)
        {
            var order = new Order(i);
            s_callbacks.Add(() => order.Number);
        }
    }

    // What a loop that never ends keeps in a local variable.
    public static void LocalOfMain()
    {
        var history = new LinkedList<Order>();
        Steps.Run(_ =>
        {
            for (var i = 0; i < Many; i++) history.AddLast(new Order(i));
        });
    }
}

public static class Publisher
{
    public static event Action? Changed;
    public static void Raise() => Changed?.Invoke();
}

public sealed class Screen
{
    private readonly byte[] _pixels = new byte[10_000];
    public void Refresh() => _pixels[0]++;
}

public sealed class Session
{
    public readonly byte[] State = new byte[2_000];
}

public sealed class Job
{
    private readonly byte[] _buffer = new byte[2_000];
    public Timer? Timer;
    public void Run(object? state) => _buffer[0]++;
}

public sealed class Pixels
{
    public readonly byte[] Data = new byte[2_000];
}

public sealed class Request
{
    private readonly byte[] _body = new byte[2_000];
    public void Cancel() => _body[0]++;
}

public sealed class Message
{
    public readonly byte[] Body = new byte[2_000];
}
