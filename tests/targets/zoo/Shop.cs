using static System.Runtime.CompilerServices.MethodImplOptions;
using MethodImpl = System.Runtime.CompilerServices.MethodImplAttribute;

namespace Shop;

public sealed class Cart : IDisposable {
  int stored;

  [MethodImpl(NoInlining)]
  public Cart() { }

  public async Task AddAsync(string name, int count) {
    await Task.Yield();
    stored += name.Length * count;
  }

  public async Task AddAsync(long id) {
    await Task.Yield();
    stored += (int)id;
  }

  public async ValueTask<int> Only() {
    await Task.Yield();
    return stored;
  }

  public IEnumerable<int> Items(int count) {
    try {
      for (int i = 0; i < count; i++) yield return i;
    } finally {
      stored++;
    }
  }

  public async IAsyncEnumerable<int> Stream(int count) {
    for (int i = 0; i < count; i++) {
      await Task.Yield();
      yield return i;
    }
  }

  [MethodImpl(NoInlining)]
  public int Lambdas(int seed) {
    Func<int, int> first = x => x + 1;
    Func<int, string, int> second = (x, s) => x + s.Length;
    Func<int> captures = () => seed + stored;
    return first(1) + second(2, "x") + captures();
  }

  [MethodImpl(NoInlining)]
  public int Locals(int seed) {
    return Plus(1) + Static(2);
    [MethodImpl(NoInlining)] int Plus(int x) => x + seed;
    [MethodImpl(NoInlining)] static int Static(long x) => (int)x;
  }

  public async Task AsyncLambda() {
    Func<int, Task> later = async x => {
      await Task.Yield();
      stored += x;
    };
    await later(1);
    await Inside("y");

    async Task Inside(string s) {
      await Task.Yield();
      stored += s.Length;
    }
  }

  public int this[int index] {
    [MethodImpl(NoInlining)] get => stored + index;
    [MethodImpl(NoInlining)] set => stored = value + index;
  }

  [MethodImpl(NoInlining)]
  void IDisposable.Dispose() => stored = 0;
}

public readonly struct Vector(int x, int y) {
  public readonly int X = x, Y = y;

  [MethodImpl(NoInlining)]
  public static Vector operator +(Vector a, Vector b) => new(a.X + b.X, a.Y + b.Y);

  [MethodImpl(NoInlining)]
  public static explicit operator int(Vector v) => v.X;
}

public class Generic<T> {
  [MethodImpl(NoInlining)]
  public static U Of<U>(T first, U second) => second;

  public async Task<U> LaterAsync<U>(U value) {
    await Task.Yield();
    return value;
  }

  public static class Inner<V> {
    [MethodImpl(NoInlining)]
    public static W Deep<W>(T first, V second, W third) => third;
  }
}

public class Outer {
  public class Middle {
    public class Innermost {
      [MethodImpl(NoInlining)]
      public void Nested(Middle middle) { }
    }
  }
}

public static class Shapes {
  [MethodImpl(NoInlining)]
  public static void Arrays(int[] one, int[,] two, string[][] jagged) { }

  [MethodImpl(NoInlining)]
  public static void References(ref int a, out int b, in int c) => b = a + c;

  [MethodImpl(NoInlining)]
  public static unsafe void Pointers(int* p, void* q, delegate*<int, long> f) { }

  public static unsafe void CallPointers() {
    int number = 1;
    Pointers(&number, null, &Twice);
  }

  public static long Twice(int x) => 2L * x;

  [MethodImpl(NoInlining)]
  public static void Wide(int? maybe, object? thing, (int, string) pair, Dictionary<string, List<Vector>> all) { }

  [MethodImpl(NoInlining)]
  public static void Anonymous(string? text) { }
}
