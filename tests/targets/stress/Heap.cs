// The garbage collector at work all the time, finalizers, limits of memory.
using System.Runtime;
using System.Runtime.CompilerServices;

namespace Stress;

static class Heap {
  sealed class Node {
    public Node? Left, Right;
    public int Value;
    public byte[] Data = [];

    public static Node? Make(int depth) =>
        depth == 0 ? null
                   : new Node { Left = Make(depth - 1), Right = Make(depth - 1), Value = depth, Data = new byte[depth * 8] };
    public long Sum() => Value + (Left?.Sum() ?? 0) + (Right?.Sum() ?? 0);
  }

  // Threads that build trees and throw them away while others collect.
  public static int Storm(string[] args) {
    long sum = 0;
    int collections = Tools.Number(args, 0, 150);
    bool ended = false;
    var builders = Enumerable.Range(0, 3).Select(i => new Thread(() => {
      for (int turn = 0; turn < 100; turn++) {
        Interlocked.Add(ref sum, Node.Make(10)!.Sum());
      }
    })).ToList();
    builders.ForEach(builder => builder.Start());
    var waiters = Enumerable.Range(0, 3).Select(i => new Thread(() => {
      while (!Volatile.Read(ref ended)) {
        Thread.Sleep(1);
      }
    })).ToList();
    waiters.ForEach(waiter => waiter.Start());
    for (int i = 0; i < collections; i++) {
      GC.Collect(i % 3, i % 2 == 0 ? GCCollectionMode.Forced : GCCollectionMode.Default, i % 5 == 0, i % 10 == 0);
      Thread.Yield();
    }
    GCSettings.LargeObjectHeapCompactionMode = GCLargeObjectHeapCompactionMode.CompactOnce;
    GC.Collect();
    builders.ForEach(builder => builder.Join());
    Volatile.Write(ref ended, true);
    waiters.ForEach(waiter => waiter.Join());
    Console.WriteLine($"sum {sum}, server {GCSettings.IsServerGC}");
    return 0;
  }

  static int finalized;
  sealed class Finalized { ~Finalized() => Interlocked.Increment(ref finalized); }
  static readonly ConditionalWeakTable<object, object> Table = [];

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void MakeMany(int count) {
    for (int i = 0; i < count; i++) {
      Table.Add(new Finalized(), new byte[16]);
    }
  }

  public static int Finalizers(string[] args) {
    for (int turn = 0; turn < 10; turn++) {
      MakeMany(5000);
      GC.Collect();
      GC.WaitForPendingFinalizers();
    }
    GC.Collect();
    GC.WaitForPendingFinalizers();
    Console.WriteLine($"finalized {finalized}");
    return 0;
  }

  // A heap that is full (DOTNET_GCHeapHardLimit): the allocation fails, and what was there goes on.
  public static int Limit(string[] args) {
    for (int turn = 0; turn < 3; turn++) {
      var kept = new List<byte[]>();
      try {
        while (true) {
          kept.Add(new byte[1 << 20]);
        }
      } catch (OutOfMemoryException) {
        kept.Clear();
      }
      GC.Collect();
      Console.WriteLine($"out of memory, {Tools.Work(10000)}");
    }
    return 0;
  }

  // Uses what a small address space has (ulimit -v), but for a margin.
  public static int AddressSpace(string[] args) {
    var kept = new List<byte[]>();
    for (int i = 0; i < 20; i++) {
      kept.Add(new byte[1 << 20]);
    }
    Tools.Together(8, _ => Tools.Work(5000), 256 * 1024);
    Console.WriteLine($"{kept.Count} MB kept, {Tools.Work(1000)}");
    return 0;
  }
}
