// Loads and unloads assemblies and makes and drops dynamic methods, on two threads, for the seconds given: code comes and
// goes while it is being sampled and named.
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;

DateTime stop = DateTime.Now.AddSeconds(double.Parse(args[0]));
int rounds = 0;
Thread[] threads = [new(Churn), new(Churn)];
foreach (Thread thread in threads) thread.Start();
foreach (Thread thread in threads) thread.Join();
Console.WriteLine(rounds > 0 ? "churned" : "did nothing");

void Churn() {
  while (DateTime.Now < stop) {
    LoadAndUnload();
    MakeDynamic();
    if (Interlocked.Increment(ref rounds) % 20 != 0) continue;
    GC.Collect();
    GC.WaitForPendingFinalizers();
  }
}

[MethodImpl(MethodImplOptions.NoInlining)]
static void LoadAndUnload() {
  var context = new AssemblyLoadContext("passing", isCollectible: true);
  var copy = context.LoadFromAssemblyPath(typeof(Passing).Assembly.Location);
  copy.GetType("Passing")!.GetMethod("Visit")!.Invoke(null, [200_000]);
  context.Unload();
}

[MethodImpl(MethodImplOptions.NoInlining)]
static void MakeDynamic() {
  for (int made = 0; made < 20; made++) {
    var method = new DynamicMethod("Fleeting" + made, typeof(string), [typeof(string), typeof(List<int>)]);
    ILGenerator il = method.GetILGenerator();
    il.Emit(OpCodes.Ldarg_0);
    il.Emit(OpCodes.Ret);
    var call = method.CreateDelegate<Func<string, List<int>, string>>();
    for (int i = 0; i < 2000; i++) call("x", []);
  }
}

public static class Passing {
  public static int Visit(int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) sum += Shared<string>.Mix(i, "x");
    return sum;
  }

  static class Shared<T> {
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Mix(int x, T with) => x ^ (with is null ? 1 : 2);
  }
}
