// Programs that are slow for one reason each, of which processor time alone does not tell: stalls NAME. The first screen
// of a profile is to name it.
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Stalls;

static class Program {
  static int Main(string[] args) {
    Action run = args[0] switch {
      "semaphore" => Printer.PrintAll,
      "imbalance" => Shards.SumAll,
      "false-sharing" => Tally.CountAll,
      "finalizers" => Handles.OpenAll,
      "pinned" => Buffers.SendAll,
      "timers" => Heartbeats.Beat,
      "flush" => Journal.Write,
      "socket" => Feed.Read,
      "names" => Addresses.Look,
      "context" => Window.Show,
      _ => throw new ArgumentException(args[0]),
    };
    run();
    Console.WriteLine("done");
    return 0;
  }
}

// A semaphore of one: as many threads as one likes, and one works.
static class Printer {
  static readonly SemaphoreSlim Free = new(1);  // lets one through
  static long printed;

  public static void PrintAll() {
    var all = new Thread[6];
    for (int i = 0; i < all.Length; i++) {
      all[i] = new Thread(() => {
        for (int n = 0; n < 8; n++) Print();
      });
      all[i].Start();
    }
    foreach (Thread thread in all) thread.Join();
  }

  static void Print() {
    Free.Wait();  // waits
    try {
      Render();
    } finally {
      Free.Release();
    }
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Render() {
    for (var watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < 25;) printed++;
  }
}

// Parts of very different size: all wait for the largest.
static class Shards {
  static long sum;

  public static void SumAll() => Parallel.For(0, 8, new ParallelOptions { MaxDegreeOfParallelism = 8 }, Sum);  // joins

  static void Sum(int shard) {
    int ms = shard == 0 ? 1200 : 30;
    for (var watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < ms;) Interlocked.Increment(ref sum);
  }
}

// Counters of different threads in one line of the processor's cache.
static class Tally {
  static readonly long[] Counts = new long[Environment.ProcessorCount];

  public static void CountAll() {
    var all = new Thread[Counts.Length];
    for (int i = 0; i < all.Length; i++) {
      int own = i;
      all[i] = new Thread(() => Count(own));
      all[i].Start();
    }
    foreach (Thread thread in all) thread.Join();
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Count(int own) {
    for (int n = 0; n < 300_000_000; n++) Volatile.Write(ref Counts[own], Counts[own] + 1);  // shares
  }
}

// Finalizers that take longer than the objects take to be made.
static class Handles {
  sealed class Handle {
    readonly byte[] buffer = new byte[2000];

    ~Handle() => Close();

    [MethodImpl(MethodImplOptions.NoInlining)]
    void Close() {
      Thread.Sleep(1);  // closes
      GC.KeepAlive(buffer);
    }
  }

  public static void OpenAll() {
    for (var watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < 2500;) Open();
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Open() => GC.KeepAlive(new Handle());
}

// Pinned buffers between which nothing can be moved.
static class Buffers {
  static readonly List<GCHandle> Kept = new();

  public static void SendAll() {
    for (var watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < 2500 && Kept.Count < 400_000;) Send();
  }

  static void Send() {
    for (int i = 0; i < 100; i++) {
      var garbage = new byte[4000];
      if (i == 50) Kept.Add(GCHandle.Alloc(new byte[100], GCHandleType.Pinned));  // pins
      GC.KeepAlive(garbage);
    }
  }
}

// Timers that come faster than their work is done.
static class Heartbeats {
  static long beats;

  public static void Beat() {
    var timers = new List<Timer>();
    for (int i = 0; i < 400; i++) timers.Add(new Timer(_ => Pulse(), null, 1, 1));
    Thread.Sleep(2000);
    foreach (Timer timer in timers) timer.Dispose();
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Pulse() {
    for (int i = 0; i < 2000; i++) Interlocked.Increment(ref beats);  // beats
  }
}

// Each line forced to the disk.
static class Journal {
  public static void Write() {
    string path = Path.GetTempFileName();
    using (var file = new FileStream(path, FileMode.Create)) {
      for (var watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < 2000;) {
        file.WriteByte(1);
        file.Flush(true);  // flushes
      }
    }
    File.Delete(path);
  }
}

// An answer that comes late.
static class Feed {
  public static void Read() {
    var listener = new TcpListener(IPAddress.Loopback, 0);
    listener.Start();
    new Thread(() => Answer(listener)).Start();
    using var client = new TcpClient();
    client.Connect((IPEndPoint)listener.LocalEndpoint);
    NetworkStream stream = client.GetStream();
    for (int i = 0; i < 8; i++) {
      stream.WriteByte(1);
      stream.ReadByte();  // reads
    }
  }

  static void Answer(TcpListener listener) {
    using TcpClient served = listener.AcceptTcpClient();
    NetworkStream stream = served.GetStream();
    while (stream.ReadByte() >= 0) {
      Thread.Sleep(200);
      stream.WriteByte(1);
    }
  }
}

// A name that its server is slow to tell the address of. The test has such a server.
static class Addresses {
  public static void Look() {
    for (int i = 0; i < 3; i++) Dns.GetHostAddresses($"slow{i}.test", AddressFamily.InterNetwork);  // looks up
  }
}

// A thread that does all that is posted to it, as those of windows do. A library that does not say ConfigureAwait(false) goes
// on there after each await, behind all else that the thread has to do.
sealed class Window : SynchronizationContext {
  readonly System.Collections.Concurrent.BlockingCollection<(SendOrPostCallback, object?)> posted = new();
  long painted;

  public static void Show() {
    var window = new Window();
    SetSynchronizationContext(window);
    Task loading = Library.Load();
    window.Post(_ => window.Paint(loading), null);
    foreach ((SendOrPostCallback callback, object? state) in window.posted.GetConsumingEnumerable()) callback(state);
    SetSynchronizationContext(null);
  }

  public override void Post(SendOrPostCallback callback, object? state) => posted.Add((callback, state));

  void Paint(Task loading) {
    for (var watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < 10;) painted++;
    if (loading.IsCompleted)
      posted.CompleteAdding();
    else
      Post(_ => Paint(loading), null);
  }
}

static class Library {
  static long parsed;

  public static async Task Load() {
    for (int i = 0; i < 80; i++) {
      await Task.Delay(1);
      Parse();  // goes on
    }
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Parse() {
    for (var watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < 10;) parsed++;
  }
}
