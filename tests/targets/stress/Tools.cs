// What the programs share.
using System.Diagnostics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Stress;

static class Tools {
  // Starts so many threads, each with its number, and waits for their end.
  public static void Together(int count, Action<int> run, int stack = 0) {
    var threads = Enumerable.Range(0, count).Select(i => new Thread(() => run(i), stack)).ToList();
    threads.ForEach(thread => thread.Start());
    threads.ForEach(thread => thread.Join());
  }

  // Computes on other threads for as long as `run` takes, so that there is something to sample, collect and call.
  public static void BesidesWork(Action run, int threads = 1) {
    bool ended = false;
    var workers = Enumerable.Range(0, threads).Select(i => new Thread(() => {
      while (!Volatile.Read(ref ended)) {
        Work(20);
        Compute(300_000);
      }
    })).ToList();
    workers.ForEach(worker => worker.Start());
    run();
    Volatile.Write(ref ended, true);
    workers.ForEach(worker => worker.Join());
  }

  // Calls, allocates and computes; the answer depends on `rounds` alone.
  [MethodImpl(MethodImplOptions.NoInlining)]
  public static long Work(int rounds) {
    long sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += Item(i).Length + Fibonacci(i % 12);
    }
    return sum;
  }

  // Without calls, whose number would be what a run with `--calls` takes its time for.
  [MethodImpl(MethodImplOptions.NoInlining)]
  public static int Compute(int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += sum ^ i;
    }
    return sum;
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static int[] Item(int length) => new int[length % 64];
  [MethodImpl(MethodImplOptions.NoInlining)]
  static int Fibonacci(int n) => n < 2 ? n : Fibonacci(n - 1) + Fibonacci(n - 2);

  public static void Took(string name, double must, Stopwatch watch) =>
      Console.WriteLine(FormattableString.Invariant($"~ {name} {must} {watch.Elapsed.TotalMilliseconds:F1}"));

  public static int Number(string[] args, int index, int otherwise) =>
      args.Length > index ? int.Parse(args[index]) : otherwise;
}

// The C library.
static unsafe partial class Libc {
  [DllImport("libc", EntryPoint = "exit")] public static extern void Exit(int code);
  [DllImport("libc", EntryPoint = "_exit")] public static extern void ExitAtOnce(int code);
  [DllImport("libc", EntryPoint = "quick_exit")] public static extern void QuickExit(int code);
  [DllImport("libc", EntryPoint = "abort")] public static extern void Abort();
  [DllImport("libc", EntryPoint = "raise")] public static extern int Raise(int signal);
  [DllImport("libc", EntryPoint = "kill")] public static extern int Kill(int process, int signal);
  [DllImport("libc", EntryPoint = "memset")] public static extern void* Fill(void* memory, int value, nuint count);
  [DllImport("libc", EntryPoint = "execv")] public static extern int Execute(string path, string?[] arguments);
  [DllImport("libc", EntryPoint = "system")] public static extern int System(string command);
  [DllImport("libc", EntryPoint = "dup2")] public static extern int Duplicate(int from, int to);
  [DllImport("libc", EntryPoint = "pipe")] public static extern int Pipe(int* ends);
  [DllImport("libc", EntryPoint = "write")] public static extern nint Write(int file, byte* data, nint size);
  [DllImport("libc", EntryPoint = "usleep")] public static extern int SleepMicroseconds(uint time);
  [DllImport("libc", EntryPoint = "qsort")]
  public static extern void Sort(int* values, nint count, nint size, delegate* unmanaged<int*, int*, int> compare);
}
