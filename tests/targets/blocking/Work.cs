using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Blocking;

// Sleeps that follow a computation: what a signal that comes too late cuts short. Straight from the C library, whose
// sleep says so.
static partial class AfterWork {
  [StructLayout(LayoutKind.Sequential)]
  struct Span { public long Seconds, Nanoseconds; }
  [DllImport("libc", EntryPoint = "nanosleep", SetLastError = true)]
  static extern int Sleep(in Span wanted, out Span left);

  public static void Run(int sleeps) {
    int cut = 0;
    for (int i = 0; i < sleeps; i++) {
      Program.Compute(3);
      if (Sleep(new Span { Nanoseconds = 1_000_000 }, out _) != 0) cut++;
    }
    Console.WriteLine($"{cut} of {sleeps} sleeps were cut short");
  }
}

// Threads of which nearly all wait, and one that computes.
static class Many {
  public static void Run(int count, int milliseconds) {
    var end = new ManualResetEvent(false);
    var threads = Enumerable.Range(0, count).Select(i => new Thread(() => WaitsForTheEnd(end, i), 256 * 1024)).ToList();
    threads.ForEach(thread => thread.Start());
    Program.Compute(milliseconds);
    end.Set();
    threads.ForEach(thread => thread.Join());
    Console.WriteLine($"{count} threads waited");
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void WaitsForTheEnd(ManualResetEvent end, int i) {
    // One in ten does a little now and then.
    while (!end.WaitOne(i % 10 == 0 ? 20 : Timeout.Infinite)) continue;
  }
}

// Threads that wait again and again, a few milliseconds each time.
static class Moving {
  public static void Run(int count, int milliseconds) {
    bool end = false;
    var threads = Enumerable.Range(0, count).Select(_ => new Thread(() => {
      while (!Volatile.Read(ref end)) Thread.Sleep(5);
    }, 256 * 1024)).ToList();
    threads.ForEach(thread => thread.Start());
    Thread.Sleep(milliseconds);
    Volatile.Write(ref end, true);
    threads.ForEach(thread => thread.Join());
    Console.WriteLine($"{count} threads waited");
  }
}

// Threads deep in calls.
static class Deep {
  public static void Run(int count, int depth, int milliseconds) {
    var threads = Enumerable.Range(0, count).Select(_ => new Thread(() => Descend(depth, milliseconds), 16 << 20)).ToList();
    threads.ForEach(thread => thread.Start());
    threads.ForEach(thread => thread.Join());
    Console.WriteLine("deep done");
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static double Descend(int depth, int milliseconds) =>
      depth == 0 ? Program.Compute(milliseconds) : Descend(depth - 1, milliseconds) + 1;
}
