// What collections find and move: objects with handles, objects that only their finalizers keep, and others beside them.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

static class Found {
  sealed class Kept {
    readonly byte[] bytes = new byte[100];

    ~Kept() => GC.KeepAlive(bytes);
  }

  sealed class Held { }

  public static void Run(int count) {
    var handles = new List<GCHandle>();
    for (int i = 0; i < count; i++) handles.Add(GCHandle.Alloc(new Held()));
    Make(count);
    var moved = new List<byte[]>();
    for (int i = 0; i < 100_000; i++) {
      var made = new byte[100];
      if (i % 10 == 0) moved.Add(made);
    }
    GC.Collect(2, GCCollectionMode.Aggressive, blocking: true, compacting: true);
    GC.WaitForPendingFinalizers();
    foreach (GCHandle handle in handles) handle.Free();
    GC.KeepAlive(moved);
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Make(int count) {
    for (int i = 0; i < count; i++) GC.KeepAlive(new Kept());
  }
}
