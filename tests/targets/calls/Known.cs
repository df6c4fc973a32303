using System.Runtime.CompilerServices;

namespace Known;

static class Recursion {
  // 21 calls for 20.
  public static int Down(int n) => n == 0 ? 0 : 1 + Down(n - 1);

  // 11 calls of the two together for 10: Even 6, Odd 5.
  public static bool Even(int n) => n == 0 || Odd(n - 1);
  static bool Odd(int n) => n != 0 && Even(n - 1);
}

static class Exceptions {
  static int finallyRuns;

  // Each: Catch and Throw once; Throw ends by its exception.
  public static int Catch(int i) {
    try {
      return Throw(i);
    } catch (InvalidOperationException) {
      return 1;
    }
  }
  static int Throw(int i) => throw new InvalidOperationException($"no {i}");

  // Each: Middle and Throw end by the exception, Cleanup normally.
  public static int CatchFarAway(int i) {
    try {
      return Middle(i);
    } catch (Exception) {
      return finallyRuns;
    }
  }
  static int Middle(int i) {
    try {
      return Throw(i) + 1;
    } finally {
      Cleanup();
    }
  }
  static void Cleanup() => finallyRuns++;

  // The filter runs before Inner is left.
  public static int Filtered(int i) {
    try {
      return Inner(i);
    } catch (InvalidOperationException e) when (IsMine(e)) {
      return 2;
    }
  }
  static int Inner(int i) {
    try {
      return Throw(i);
    } catch (InvalidOperationException) {
      throw;
    }
  }
  static bool IsMine(Exception e) => e.Message.StartsWith("no");
}

class Box<T> {
  T? value;
  public void Put(T item) => value = item;
  public static int Count<U>(U other, T item) => other is null || item is null ? 0 : 1;
}

static class Generics {
  // Put 3 times, Count 3 times: of values and of references.
  public static int Use(int i) {
    var numbers = new Box<int>();
    numbers.Put(i);
    var texts = new Box<string>();
    texts.Put("x");
    texts.Put("y");
    return Box<int>.Count("a", i) + Box<string>.Count(i, "b") + Box<string>.Count("c", "d");
  }
}

static class Iterators {
  public static int Sum(int n) {
    int sum = 0;
    foreach (int value in UpTo(n)) sum += value;
    return sum;
  }
  static IEnumerable<int> UpTo(int n) {
    for (int i = 0; i < n; i++) yield return i;
  }
}

class Node {
  public Node? Next;
  public int Value;
}

class Wide {
  public long A, B, C, D;
}

struct Pair {
  public int First, Second;
}

static class Objects {
  static object? kept;
  static Array? keptArray;

  // Ten nodes, one wide one, two boxed pairs, an array of 100 bytes and one of nodes.
  [MethodImpl(MethodImplOptions.NoInlining)]
  public static int Make(int i) {
    Node? list = null;
    for (int n = 0; n < 10; n++) list = new Node { Next = list, Value = n };
    kept = list;
    kept = new Wide { A = i };
    kept = new Pair { First = i };
    kept = (object)new Pair { Second = i };
    keptArray = new byte[100];
    keptArray = new Node[7];
    return list!.Value;
  }
}

sealed class Plain { }

static class Natively {
  static object? kept;

  static T Make<T>() where T : new() => new T();

  // What the core library has the runtime allocate: none of it is this code's own.
  [MethodImpl(MethodImplOptions.NoInlining)]
  public static int Make(int i, int[] array) {
    kept = new string('x', 10 + i);
    kept = Activator.CreateInstance(typeof(Plain));
    kept = Make<Plain>();
    kept = array.Clone();
    return 0;
  }
}

static class Workers {
  public static long Run(int threads, int steps) {
    var sums = new long[threads];
    var all = new Thread[threads];
    for (int t = 0; t < threads; t++) {
      int own = t;
      all[t] = new Thread(() => sums[own] = Work(steps)) { Name = $"worker {t}" };
      all[t].Start();
    }
    foreach (var thread in all) thread.Join();
    return sums.Sum();
  }
  static long Work(int steps) {
    long sum = 0;
    for (int i = 0; i < steps; i++) sum += Step(i);
    return sum;
  }
  [MethodImpl(MethodImplOptions.NoInlining)]
  static int Step(int i) => i & 1;
}

static class Async {
  // Each: OuterAsync starts once and awaits InnerAsync n times, which yields once.
  public static async Task<int> OuterAsync(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++) sum += await InnerAsync(i);
    return sum;
  }
  static async Task<int> InnerAsync(int i) {
    await Task.Yield();
    return i;
  }
}
