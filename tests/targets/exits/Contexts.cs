// Collectible load contexts: this assembly is loaded again and again, called, and unloaded.
using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;

namespace Exits;

public static class Visitor {
  public static int Visit(int i) => i == 0 ? 0 : 1 + Visit(i - 1);
}

static class Contexts {
  const int Rounds = 10;

  [MethodImpl(MethodImplOptions.NoInlining)]
  static (WeakReference, int) VisitOnce(int round) {
    var context = new AssemblyLoadContext($"context {round}", isCollectible: true);
    Assembly copy = context.LoadFromAssemblyPath(typeof(Contexts).Assembly.Location);
    MethodInfo visit = copy.GetType("Exits.Visitor")!.GetMethod("Visit")!;
    int sum = (int)visit.Invoke(null, [9])!;
    context.Unload();
    return (new WeakReference(context), sum);
  }

  public static void Run() {
    int sum = 0, unloaded = 0;
    for (int round = 0; round < Rounds; round++) {
      var (context, visited) = VisitOnce(round);
      sum += visited;
      for (int i = 0; i < 50 && context.IsAlive; i++) {
        GC.Collect();
        GC.WaitForPendingFinalizers();
      }
      if (!context.IsAlive) unloaded++;
    }
    Known.Says($"{sum} {unloaded}");
    Known.Calls("Exits.Visitor.Visit", Rounds * 10);
  }
}
