// Known numbers of objects, all of 72 bytes, allocated by few methods on many ways to them: paths OBJECTS.
using System.Runtime.CompilerServices;

int objects = int.Parse(args[0]);
var left = new Thread(() => Left.Begin(objects)) { Name = "left" };
var right = new Thread(() => Right.Begin(objects)) { Name = "right" };
left.Start();
right.Start();
left.Join();
right.Join();
Generic<string>.Begin(objects);
Generic<int>.Begin(objects);
await Late.Outer(objects);
Console.WriteLine("all are made");

class Block {
  public long A, B, C, D, E, F, G;
}

class Node<T> {
  public long A, B, C, D, E, F;
  public T[]? Value;
}

static class Shared {
  [ThreadStatic] static object? last;

  [MethodImpl(MethodImplOptions.NoInlining)]
  public static void Make(int objects) {
    for (int i = 0; i < objects; i++) Keep(new Block());
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  public static void Keep(object made) => last = made;
}

static class Left {
  [MethodImpl(MethodImplOptions.NoInlining)]
  public static void Begin(int objects) {
    Middle(objects);
    Other(2 * objects);
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Middle(int objects) {
    Shared.Make(objects);
    GC.KeepAlive(objects);
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Other(int objects) {
    Shared.Make(objects);
    GC.KeepAlive(objects);
  }
}

static class Right {
  [MethodImpl(MethodImplOptions.NoInlining)]
  public static void Begin(int objects) {
    Middle(3 * objects);
    GC.KeepAlive(objects);
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Middle(int objects) {
    Shared.Make(objects);
    GC.KeepAlive(objects);
  }
}

static class Generic<T> {
  [MethodImpl(MethodImplOptions.NoInlining)]
  public static void Begin(int objects) {
    Make(objects);
    GC.KeepAlive(objects);
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Make(int objects) {
    for (int i = 0; i < objects; i++) Shared.Keep(new Node<T>());
  }
}

static class Late {
  public static async Task Outer(int objects) {
    for (int i = 0; i < 4; i++) await Inner(objects / 4);
  }

  static async Task Inner(int objects) {
    await Task.Yield();
    Make(objects);
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Make(int objects) {
    for (int i = 0; i < objects; i++) Shared.Keep(new Block());
  }
}
