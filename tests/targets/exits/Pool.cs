// Not in the namespace whose calls are counted: what waits until those are left must not be one of them.
namespace Waits;

// Runs continuations on the thread pool, and gives the result of a task only when the threads that ran it have left it: a
// task is done before the method is left that ends it.
sealed class Pool : SynchronizationContext {
  int running;

  public override void Post(SendOrPostCallback callback, object? state) {
    Interlocked.Increment(ref running);
    ThreadPool.QueueUserWorkItem(_ => {
      SetSynchronizationContext(this);
      try {
        callback(state);
      } finally {
        SetSynchronizationContext(null);
        Interlocked.Decrement(ref running);
      }
    });
  }

  public static T Result<T>(Func<Task<T>> start) {
    var pool = new Pool();
    var before = Current;
    SetSynchronizationContext(pool);
    try {
      return start().Result;
    } finally {
      SetSynchronizationContext(before);
      SpinWait.SpinUntil(() => Volatile.Read(ref pool.running) == 0);
    }
  }
}
