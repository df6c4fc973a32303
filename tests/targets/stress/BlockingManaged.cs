// What blocks in .NET: each with 300 ms to wait, all at once, each on a thread of its own.
using System.Collections.Concurrent;
using System.Diagnostics;
using System.IO.Pipes;
using System.Net;
using System.Net.Sockets;

namespace Stress;

static unsafe class BlockingManaged {
  // The runtime's own clock for time limits goes by ticks: it may be a few early.
  const int Milliseconds = 300, Least = 295;
  static readonly TimeSpan Span = TimeSpan.FromMilliseconds(Milliseconds);

  // A name, and what waits; the answer tells how it ended.
  static readonly (string Name, Func<string> Wait)[] Calls = [
    ("Thread.Sleep", () => { Thread.Sleep(Milliseconds); return "slept"; }),
    ("Thread.Join", ThreadJoin),
    ("Monitor.Wait", () => { object it = new(); lock (it) { return $"{Monitor.Wait(it, Milliseconds)}"; } }),
    ("Monitor.TryEnter", () => WhileHeld(it => Monitor.TryEnter(it, Milliseconds))),
    ("SemaphoreSlim.Wait", () => $"{new SemaphoreSlim(0).Wait(Milliseconds)}"),
    ("SemaphoreSlim.WaitAsync", () => $"{new SemaphoreSlim(0).WaitAsync(Milliseconds).Result}"),
    ("Semaphore.WaitOne", () => $"{new Semaphore(0, 1).WaitOne(Milliseconds)}"),
    ("AutoResetEvent.WaitOne", () => $"{new AutoResetEvent(false).WaitOne(Milliseconds)}"),
    ("ManualResetEventSlim.Wait", () => $"{new ManualResetEventSlim().Wait(Milliseconds)}"),
    ("WaitHandle.WaitAny", () => $"{WaitHandle.WaitAny([new AutoResetEvent(false), new Mutex()], 0)}, " +
                                 $"{WaitHandle.WaitAny([new AutoResetEvent(false)], Milliseconds)}"),
    ("CountdownEvent.Wait", () => $"{new CountdownEvent(1).Wait(Milliseconds)}"),
    ("Barrier.SignalAndWait", () => $"{new Barrier(2).SignalAndWait(Milliseconds)}"),
    ("ReaderWriterLockSlim", () => WhileHeldForReading(it => it.TryEnterWriteLock(Milliseconds))),
    ("BlockingCollection.TryTake", () => $"{new BlockingCollection<int>().TryTake(out _, Milliseconds)}"),
    ("Task.Delay", () => { Task.Delay(Milliseconds).Wait(); return "over"; }),
    ("Task.Wait", () => $"{new TaskCompletionSource().Task.Wait(Milliseconds)}"),
    ("CancellationTokenSource", () => $"{new CancellationTokenSource(Milliseconds).Token.WaitHandle.WaitOne()}"),
    ("PeriodicTimer", () => $"{new PeriodicTimer(Span).WaitForNextTickAsync().AsTask().Result}"),
    ("Timer", WaitForTimer),
    ("Process.WaitForExit", WaitForProcess),
    ("FileSystemWatcher", WatchFiles),
    ("NamedPipeClientStream.Connect", ConnectToPipe),
    ("NamedPipeServerStream.Wait", WaitForPipe),
    ("AnonymousPipe.Read", ReadPipe),
    ("Socket.Receive", () => WithPair((socket, _) => Error(() => socket.Receive(new byte[1])))),
    ("Socket.ReceiveFrom", ReceiveDatagram),
    ("Socket.Send", () => WithPair((socket, _) => Error(() => SendMuch(socket)))),
    ("Socket.Poll", () => WithPair((socket, _) => $"{socket.Poll(Milliseconds * 1000, SelectMode.SelectRead)}")),
    ("Socket.Select", () => WithPair((socket, _) => Select(socket))),
    ("Socket.Accept", Accept),
    ("Socket.ReceiveAsync", () => WithPair((socket, _) => ReceiveUntilCancelled(socket))),
    ("Socket.Receive, later sent", () => WithPair(ReceiveLater)),
    ("HttpClient.Timeout", AskInVain),
    ("Console.In", ReadConsole),
  ];

  public static int Run(string[] args) {
    var told = new string[Calls.Length];
    var watches = new Stopwatch[Calls.Length];
    ThreadPool.SetMinThreads(20, 20);
    AskInVain();  // what it needs is compiled first: that takes long where every method is changed
    Tools.Together(Calls.Length, i => {
      Tools.Work(300);
      watches[i] = Stopwatch.StartNew();
      told[i] = Calls[i].Wait();
      watches[i].Stop();
    });
    for (int i = 0; i < Calls.Length; i++) {
      Console.WriteLine($"{Calls[i].Name}: {told[i]}");
      Tools.Took(Calls[i].Name.Replace(' ', '_'), Least, watches[i]);
    }
    return 0;
  }

  static string ThreadJoin() {
    using var end = new ManualResetEvent(false);
    var thread = new Thread(() => end.WaitOne());
    thread.Start();
    bool joined = thread.Join(Milliseconds);
    end.Set();
    thread.Join();
    return $"{joined}";
  }

  static string WhileHeld(Func<object, bool> enter) {
    object it = new();
    using ManualResetEvent held = new(false), end = new(false);
    var holder = new Thread(() => { lock (it) { held.Set(); end.WaitOne(); } });
    holder.Start();
    held.WaitOne();
    bool entered = enter(it);
    end.Set();
    holder.Join();
    return $"{entered}";
  }

  static string WhileHeldForReading(Func<ReaderWriterLockSlim, bool> enter) {
    var it = new ReaderWriterLockSlim();
    Tools.Together(1, _ => it.EnterReadLock());
    return $"{enter(it)}";
  }

  static string WaitForTimer() {
    using var rung = new ManualResetEvent(false);
    using var timer = new Timer(_ => rung.Set(), null, Milliseconds, Timeout.Infinite);
    return $"{rung.WaitOne()}";
  }

  static string WaitForProcess() {
    using var process = Process.Start("sleep", "60");
    bool exited = process.WaitForExit(Milliseconds);
    process.Kill();
    process.WaitForExit();
    return $"{exited}, then {process.ExitCode}";
  }

  static string WatchFiles() {
    string folder = Directory.CreateTempSubdirectory("oriel-stress-").FullName;
    using var watcher = new FileSystemWatcher(folder);
    bool timedOut = watcher.WaitForChanged(WatcherChangeTypes.All, Milliseconds).TimedOut;
    Directory.Delete(folder);
    return $"{timedOut}";
  }

  static string PipeName(string name) => $"oriel-stress-{name}-{Environment.ProcessId}";

  static string ConnectToPipe() {
    using var client = new NamedPipeClientStream(".", PipeName("none"), PipeDirection.In);
    try {
      client.Connect(Milliseconds);
      return "connected";
    } catch (TimeoutException) {
      return "timed out";
    }
  }

  static string WaitForPipe() {
    string name = PipeName("late");
    using var server = new NamedPipeServerStream(name, PipeDirection.Out);
    using var client = new NamedPipeClientStream(".", name, PipeDirection.In);
    Task later = Task.Delay(Milliseconds).ContinueWith(_ => client.Connect(), TaskScheduler.Default);
    server.WaitForConnection();
    later.Wait();
    return $"{server.IsConnected}";
  }

  static string ReadPipe() {
    using var reader = new AnonymousPipeServerStream(PipeDirection.In);
    using var writer = new AnonymousPipeClientStream(PipeDirection.Out, reader.ClientSafePipeHandle);
    Task later = Task.Delay(Milliseconds).ContinueWith(_ => writer.WriteByte(7), TaskScheduler.Default);
    return $"{reader.ReadByte()}";
  }

  static string WithPair(Func<Socket, Socket, string> run) {
    using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
    listener.Listen();
    using var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    client.Connect(listener.LocalEndPoint!);
    using Socket server = listener.Accept();
    server.ReceiveTimeout = server.SendTimeout = Milliseconds;
    return run(server, client);
  }

  static string Error(Func<int> call) {
    try {
      return $"{call()}";
    } catch (SocketException problem) {
      return $"{problem.SocketErrorCode}";
    }
  }

  static int SendMuch(Socket socket) {
    // What is under way to a reader that does not read may take a while to fill.
    var data = new byte[1 << 20];
    while (true) {
      socket.Send(data);
    }
  }

  static string ReceiveDatagram() {
    using var socket = new Socket(AddressFamily.InterNetwork, SocketType.Dgram, ProtocolType.Udp);
    EndPoint from = new IPEndPoint(IPAddress.Loopback, 0);
    socket.Bind(from);
    socket.ReceiveTimeout = Milliseconds;
    return Error(() => socket.ReceiveFrom(new byte[1], ref from));
  }

  static string Select(Socket socket) {
    var waited = new List<Socket> { socket };
    Socket.Select(waited, null, null, Milliseconds * 1000);
    return $"{waited.Count} ready";
  }

  static string Accept() {
    using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
    listener.Listen();
    Task.Delay(Milliseconds).ContinueWith(_ => {
      using var client = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
      client.Connect(listener.LocalEndPoint!);
    }, TaskScheduler.Default);
    using Socket accepted = listener.Accept();
    return "accepted";
  }

  static string ReceiveUntilCancelled(Socket socket) {
    using var cancellation = new CancellationTokenSource(Milliseconds);
    try {
      return $"{socket.ReceiveAsync(new byte[1].AsMemory(), cancellation.Token).AsTask().Result}";
    } catch (AggregateException problem) {
      return $"{problem.InnerException!.GetType().Name}";
    }
  }

  static string ReceiveLater(Socket socket, Socket other) {
    socket.ReceiveTimeout = 20000;
    Task.Delay(Milliseconds).ContinueWith(_ => other.Send(new byte[] { 9 }), TaskScheduler.Default);
    var data = new byte[1];
    return Error(() => socket.Receive(data) + data[0]);
  }

  // A server that never answers.
  static string AskInVain() {
    using var listener = new Socket(AddressFamily.InterNetwork, SocketType.Stream, ProtocolType.Tcp);
    listener.Bind(new IPEndPoint(IPAddress.Loopback, 0));
    listener.Listen();
    using var client = new HttpClient(new SocketsHttpHandler { UseProxy = false }) { Timeout = Span };
    try {
      return client.GetStringAsync($"http://{listener.LocalEndPoint}/").Result;
    } catch (AggregateException problem) {
      return $"{problem.InnerException!.GetType().Name}";
    }
  }

  static string ReadConsole() {
    int* ends = stackalloc int[2];
    Libc.Pipe(ends);
    Libc.Duplicate(ends[0], 0);
    int end = ends[1];
    Task.Delay(Milliseconds).ContinueWith(_ => {
      fixed (byte* line = "a line\n"u8) {
        Libc.Write(end, line, 7);
      }
    }, TaskScheduler.Default);
    return $"{Console.ReadLine()}";
  }
}
