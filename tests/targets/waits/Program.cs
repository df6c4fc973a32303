// Programs that wait for one thing each: waits NAME. Prints how long it waited by its own clock, in ms.
using System.Diagnostics;
using System.Net;
using System.Net.Sockets;

namespace Waits;

static class Program {
  static int Main(string[] args) {
    long waited = args[0] switch {
      "sleep" => Naps.Take(),
      "lock" => Line.Of(Till.Pay),
      "lock-object" => Line.Of(Booth.Pay),
      "new-lock" => Vault.Queue(),
      "short-locks" => Ledger.Write(),
      "blocked-pool" => Kitchen.Cook(),
      "task" => Orders.Fetch(),
      "pool" => Orders.FetchAll(),
      "signal" => Mailbox.Receive(),
      "thread" => Helpers.Await(),
      "socket" => Feed.Read(),
      "file" => Pipe.Read(),
      "process" => Child.Run(),
      "compute" => Sums.Add(),
      _ => -1,
    };
    Console.WriteLine(waited);
    return waited < 0 ? 2 : 0;
  }

  public static long Timed(Action action) {
    var watch = Stopwatch.StartNew();
    action();
    return watch.ElapsedMilliseconds;
  }
}

static class Naps {
  public static long Take() => Program.Timed(() => {
    for (int i = 0; i < 10; i++) Thread.Sleep(100);  // sleeps
  });
}

// Customers that wait for each other: how long in all, in milliseconds.
static class Line {
  public static long Of(Func<long> pay) {
    long waited = 0;
    var customers = new Thread[4];
    for (int i = 0; i < customers.Length; i++) {
      customers[i] = new Thread(() => {
        for (int n = 0; n < 5; n++) Interlocked.Add(ref waited, pay());
      });
      customers[i].Start();
    }
    foreach (Thread customer in customers) customer.Join();
    return waited;
  }
}

static class Till {
  static readonly object Drawer = new();  // the drawer

  public static long Pay() {
    var watch = Stopwatch.StartNew();
    lock (Drawer) {  // locks
      long waited = watch.ElapsedMilliseconds;
      Count();
      return waited;
    }
  }

  static void Count() {
    for (var watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < 60;) {
    }
  }
}

// The same with a lock of the newer kind.
static class Booth {
  static readonly Lock Window = new();

  public static long Pay() {
    var watch = Stopwatch.StartNew();
    lock (Window) {
      long waited = watch.ElapsedMilliseconds;
      Sell();
      return waited;
    }
  }

  static void Sell() {
    for (var watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < 60;) {
    }
  }
}

class Coins {
  public int Count;
}

static class Vault {
  static readonly Lock Door = new();
  static readonly Coins Inside = new();

  // One thread has the door, the other the coins, and each waits for what the other has until that is given back.
  public static long Queue() {
    long waited = 0;
    using var taken = new Barrier(2);
    var thief = new Thread(() => {
      lock (Inside) {
        taken.SignalAndWait();
        Thread.Sleep(300);  // holds the coins
        Inside.Count++;
      }
      taken.SignalAndWait();
      Interlocked.Add(ref waited, Program.Timed(Enter));
    });
    thief.Start();
    taken.SignalAndWait();
    waited += Program.Timed(Spend);
    lock (Door) {
      taken.SignalAndWait();
      Thread.Sleep(200);  // holds the door
    }
    thief.Join();
    return waited;
  }

  static void Spend() {
    lock (Inside) Inside.Count--;  // spends
  }

  static void Enter() {
    lock (Door) Inside.Count = 0;  // enters
  }
}

// Many short waits: tells how many the runtime counted.
static class Ledger {
  static readonly object Page = new();
  static long sum;

  public static long Write() {
    long before = Monitor.LockContentionCount;
    var clerks = new Thread[4];
    var watch = Stopwatch.StartNew();
    for (int i = 0; i < clerks.Length; i++) {
      clerks[i] = new Thread(() => {
        while (watch.ElapsedMilliseconds < 1500) Add();
      });
      clerks[i].Start();
    }
    foreach (Thread clerk in clerks) clerk.Join();
    return Monitor.LockContentionCount - before;
  }

  static void Add() {
    lock (Page) {
      for (long until = Stopwatch.GetTimestamp() + Stopwatch.Frequency / 10_000; Stopwatch.GetTimestamp() < until;) sum++;
      Thread.Yield();
    }
  }
}

// Work for the pool that waits for other work of the pool.
static class Kitchen {
  public static long Cook() => Program.Timed(() => {
    using var done = new CountdownEvent(24);
    for (int i = 0; i < done.InitialCount; i++) {
      ThreadPool.QueueUserWorkItem(_ => {
        Serve();
        done.Signal();
      });
    }
    done.Wait();
  });

  static void Serve() => Boil().Wait();  // blocks the pool

  static async Task Boil() {
    await Task.Delay(100);
    await Task.Yield();
  }
}

static class Orders {
  static async Task<int> Order() {
    await Task.Delay(200);
    return 1;
  }

  public static long Fetch() => Program.Timed(() => {
    int sum = 0;
    for (int i = 0; i < 5; i++) sum += Order().Result;  // blocks
    if (sum != 5) throw new InvalidOperationException();
  });

  public static long FetchAll() {
    long waited = 0;
    var tasks = new Task[4];
    for (int i = 0; i < tasks.Length; i++) tasks[i] = Task.Run(() => Interlocked.Add(ref waited, Fetch()));
    foreach (Task task in tasks) {
      while (!task.IsCompleted) Thread.Yield();
    }
    return waited;
  }
}

static class Mailbox {
  static readonly AutoResetEvent Letters = new(false);  // one that does not spin first

  public static long Receive() {
    new Thread(() => {
      for (int i = 0; i < 5; i++) {
        Thread.Sleep(200);
        Letters.Set();
      }
    }).Start();
    return Program.Timed(() => {
      for (int i = 0; i < 5; i++) Letters.WaitOne();  // waits
    });
  }
}

static class Helpers {
  public static long Await() => Program.Timed(() => {
    var helper = new Thread(() => {
      for (var watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < 1000;) {
      }
    });
    helper.Start();
    helper.Join();  // joins
  });
}

static class Feed {
  public static long Read() {
    var listener = new TcpListener(IPAddress.Loopback, 0);
    listener.Start();
    new Thread(() => {
      using TcpClient served = listener.AcceptTcpClient();
      for (int i = 0; i < 5; i++) {
        Thread.Sleep(200);
        served.GetStream().WriteByte(1);
      }
    }).Start();
    using var client = new TcpClient();
    client.Connect((IPEndPoint)listener.LocalEndpoint);
    NetworkStream stream = client.GetStream();
    return Program.Timed(() => {
      for (int i = 0; i < 5; i++) stream.ReadByte();  // reads
    });
  }
}

static class Pipe {
  public static long Read() {
    using var writer = new System.IO.Pipes.AnonymousPipeServerStream(System.IO.Pipes.PipeDirection.Out);
    using var reader = new System.IO.Pipes.AnonymousPipeClientStream(System.IO.Pipes.PipeDirection.In,
                                                                     writer.ClientSafePipeHandle);
    new Thread(() => {
      for (int i = 0; i < 5; i++) {
        Thread.Sleep(200);
        writer.WriteByte(1);
      }
    }).Start();
    return Program.Timed(() => {
      for (int i = 0; i < 5; i++) reader.ReadByte();  // pipes
    });
  }
}

static class Child {
  public static long Run() => Program.Timed(() => {
    using Process sleeper = Process.Start("sleep", "1");
    sleeper.WaitForExit();  // exits
  });
}

static class Sums {
  static double sum;

  public static long Add() {
    for (var watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < 1000;) {
      for (int i = 0; i < 1000; i++) sum += i;
    }
    return 0;
  }
}
