// Objects whose finalizers run while others collect: each finalizer throws, and catches, what tells whose it is.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

static class Finalized {
  sealed class OfFirst : Exception { }
  sealed class OfThird : Exception { }

  class First {
    ~First() => Throw<OfFirst>();
  }

  sealed class Second : First { }

  sealed class Third<T> {
    ~Third() => Throw<OfThird>();
  }

  // With a finalizer that does not run.
  sealed class Let {
    ~Let() => Throw<OfFirst>();

    public static void Go() => GC.SuppressFinalize(new Let());
  }

  // A thread of that name tells a module that its time has come; `wait` is how long it is then given, in ms.
  public static void Run(int count, int wait) {
    Throw<OfFirst>();
    Throw<OfThird>();
    var named = new Thread(() => { }) { Name = "now" };
    named.Start();
    named.Join();
    Thread.Sleep(wait);
    GCHandle.Alloc(new object()).Free();
    Make(count);
    GC.Collect();
    GC.WaitForPendingFinalizers();
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Make(int count) {
    for (int i = 0; i < count; i++) {
      GC.KeepAlive(new First());
      GC.KeepAlive(new Second());
      GC.KeepAlive(new Third<int>());
      Let.Go();
    }
  }

  static void Throw<E>() where E : Exception, new() {
    try {
      throw new E();
    } catch (E) {
      GC.Collect(0);
    }
  }
}
