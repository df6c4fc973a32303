// Threads by the thousand.
using System.Diagnostics;
using System.Runtime.InteropServices;

namespace Stress;

static class Threads {
  [DllImport("stress")]
  static extern unsafe long stress_threads_foreign(int count, int milliseconds, delegate* unmanaged<int, int> call);

  // Started and joined, 20 at a time.
  public static int Short(string[] args) {
    long sum = 0;
    int count = Tools.Number(args, 0, 1000);
    for (int first = 0; first < count; first += 20) {
      Tools.Together(20, i => Interlocked.Add(ref sum, first + i + Tools.Work(10)));
    }
    Console.WriteLine($"{count} threads, {sum}");
    return 0;
  }

  // All at once; each waits, but for a little work ten times a second.
  public static int Live(string[] args) {
    int count = Tools.Number(args, 0, 1000);
    long sum = 0;
    using var end = new ManualResetEvent(false);
    using var started = new CountdownEvent(count);
    var threads = Enumerable.Range(0, count).Select(i => new Thread(() => {
      started.Signal();
      for (int turn = 0; turn < 10; turn++) {
        end.WaitOne(100);
        Interlocked.Add(ref sum, i + Tools.Work(1));
      }
    }, 256 * 1024)).ToList();
    var watch = Stopwatch.StartNew();
    threads.ForEach(thread => thread.Start());
    started.Wait();
    threads.ForEach(thread => thread.Join());
    Tools.Took("live", 1000, watch);
    Console.WriteLine($"{count} threads, {sum}");
    return 0;
  }

  // Storms of work items, some of which block, so that the pool grows.
  public static int Pool(string[] args) {
    ThreadPool.SetMinThreads(100, 100);
    long sum = 0;
    for (int storm = 0; storm < 10; storm++) {
      using var left = new CountdownEvent(2000);
      for (int i = 0; i < 2000; i++) {
        int number = i;
        ThreadPool.UnsafeQueueUserWorkItem(_ => {
          if (number % 50 == 0) {
            Thread.Sleep(5);
          }
          Interlocked.Add(ref sum, number + Tools.Work(2));
          left.Signal();
        }, null);
      }
      left.Wait();
    }
    Console.WriteLine($"pool {sum}");
    Console.WriteLine($"tasks {Task.WhenAll(Enumerable.Range(0, 500).Select(Wait)).Result.Sum()}");
    return 0;
  }

  static async Task<int> Wait(int number) {
    await Task.Yield();
    await Task.Delay(number % 20);
    return number;
  }

  [UnmanagedCallersOnly]
  static int Answer(int number) => (int)(number + Tools.Work(2) % 7);

  // Native threads that call managed code and end; then some that call it, wait, and call it again.
  public static unsafe int Foreign(string[] args) {
    Console.WriteLine($"called once {stress_threads_foreign(1000, 0, &Answer)}");
    Tools.BesidesWork(() => Console.WriteLine($"called twice {stress_threads_foreign(200, 50, &Answer)}"));
    GC.Collect();
    Console.WriteLine($"once more {stress_threads_foreign(200, 0, &Answer)}");
    return 0;
  }
}
