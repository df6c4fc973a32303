// Locks of all kinds of names. Nobody runs them: a test reads their code.
namespace Waits;

class Counter<T> {
  readonly object gate = new();
  readonly SemaphoreSlim turn = new(1, 1);
  object? given;
  public int Count;

  public object Gate => gate;

  public Counter(object? shared) => given = shared;

  public void ByField() {
    lock (gate) Count++;
  }

  public void ByProperty() {
    lock (Gate) Count++;
  }

  public void ByThis() {
    lock (this) Count++;
  }

  public void ByType() {
    lock (typeof(Coins)) Count++;
  }

  public void ByArgument(int step, object door) {
    lock (door) Count += step;
  }

  public void BySetter(object door) {
    given = door;
    lock (given) Count++;
  }

  public void ByTwo(int step) {
    lock (gate) Count += step;
    lock (this) Count++;
  }

  public void ByCallee() => ByField();

  public Action ByCapture() {
    var door = new object();
    return () => {
      lock (door) Count++;
    };
  }

  public async Task ByAsync() {
    await Task.Yield();
    lock (gate) Count++;
  }

  public void BySemaphore() {
    turn.Wait(1000);
    turn.Release();
  }
}
