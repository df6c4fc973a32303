using System.Diagnostics;
using System.Net;
using System.Net.Sockets;
using System.Runtime.CompilerServices;

namespace Blocking;

// The waits of the framework that have a timeout, each on a thread of its own.
static class Waits {
  const int Milliseconds = 1000;  // on a busy machine whoever looks at threads may come late
  static readonly List<Thread> threads = [];
  static readonly SortedDictionary<string, string> results = [];

  public static void RunAll() {
    Start("sleep", SleepsAWhile);
    Start("monitor", WaitsForAPulse);
    Start("socket-receive", ReceivesNothing);
    Start("socket-poll", PollsASocket);
    Start("event", WaitsForAnEvent);
    Start("semaphore", () => new SemaphoreSlim(0).Wait(Milliseconds));
    Start("delay", () => Task.Delay(Milliseconds).Wait());
    Start("join", JoinsAThread);
    Start("process", WaitsForAProcess);
    foreach (var thread in threads) thread.Join();
    foreach (var (name, result) in results) Console.WriteLine($"{name}: {result}");
  }

  // Computes first: samples of that time must not come while it waits.
  static void Start(string name, Action wait) => Start(name, () => { wait(); return "done"; });
  static void Start(string name, Func<object> wait) {
    var thread = new Thread(() => {
      Program.Compute(30);
      var watch = Stopwatch.StartNew();
      string result;
      try {
        result = $"{wait()}";
      } catch (SocketException problem) {
        result = $"{problem.SocketErrorCode}";
      }
      double took = watch.Elapsed.TotalMilliseconds;
      string how = took < Milliseconds - 20 ? "early" : took > 100 * Milliseconds ? "late" : "in time";
      lock (results) results[name] = $"{result}, {how}";
    }) { Name = $"waits {name}" };
    threads.Add(thread);
    thread.Start();
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void SleepsAWhile() => Thread.Sleep(Milliseconds);

  [MethodImpl(MethodImplOptions.NoInlining)]
  static object WaitsForAPulse() {
    var monitor = new object();
    lock (monitor) return Monitor.Wait(monitor, Milliseconds);
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static object WaitsForAnEvent() => new ManualResetEvent(false).WaitOne(Milliseconds);

  static Socket Bound() {
    var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
    socket.Bind(new IPEndPoint(IPAddress.Loopback, 0));
    return socket;
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static object ReceivesNothing() {
    using var socket = Bound();
    socket.ReceiveTimeout = Milliseconds;
    return socket.Receive(new byte[16]);
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static object PollsASocket() {
    using var socket = Bound();
    return socket.Poll(Milliseconds * 1000, SelectMode.SelectRead);
  }

  static object JoinsAThread() {
    var sleeper = new Thread(() => Thread.Sleep(2 * Milliseconds)) { Name = "sleeper" };
    sleeper.Start();
    return sleeper.Join(Milliseconds);
  }

  static object WaitsForAProcess() {
    using var process = Process.Start("sleep", "30")!;
    bool ended = process.WaitForExit(Milliseconds);
    process.Kill();
    return ended;
  }
}
