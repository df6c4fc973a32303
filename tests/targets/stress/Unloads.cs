// Assemblies that are unloaded while what ran of them is still to be named: each context's methods, classes, generic
// instantiations, lambdas and clauses are new to whoever records them, and gone before he comes to ask.
using System.Runtime.CompilerServices;
using System.Runtime.Loader;

namespace Stress;

public static class Unloads {
  class Failure : Exception { }
  struct Pair { public long A, B; }
  class Box<T> { public T? Value = default; }

  // Collections find the contexts that are left.
  public static int Run(string[] args) {
    int rounds = args.Length > 0 ? int.Parse(args[0]) : 6;
    var collector = new Thread(() => {
      for (int i = 0; ; i++) {
        GC.Collect(i % 3);
        Thread.Sleep(1);
      }
    }) { IsBackground = true };
    collector.Start();
    byte[] bytes = File.ReadAllBytes(typeof(Unloads).Assembly.Location);
    int sum = 0;
    for (int round = 0; round < rounds; round++) {
      Parallel.For(0, 12, _ => Interlocked.Add(ref sum, InContext(bytes)));
    }
    Console.WriteLine(sum);
    return 0;
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static int InContext(byte[] bytes) {
    var context = new AssemblyLoadContext("short", true);
    var type = context.LoadFromStream(new MemoryStream(bytes)).GetType("Stress.Unloads")!;
    int sum = (int)type.GetMethod("Inside")!.Invoke(null, [50])!;
    context.Unload();
    return sum;
  }

  public static int Inside(int rounds) {
    int sum = 0;
    for (int i = 0; i < rounds; i++) {
      try {
        if (i % 3 == 0) {
          throw new Failure();
        }
        object array = new Pair[3];
        sum += ((Pair[])array).Length + (int)new Box<Pair>().Value.A + new List<Pair> { default }.Count;
      } catch (Failure) {
        sum += Twice(0, static n => n + 1);
      } finally {
        sum++;
      }
    }
    return sum + Later(rounds).GetAwaiter().GetResult();
  }

  static int Twice(int value, Func<int, int> make) => make(make(value));

  static async Task<int> Later(int value) {
    await Task.Yield();
    object boxed = new Pair { A = value, B = 1 };
    return (int)((Pair)boxed).A;
  }
}
