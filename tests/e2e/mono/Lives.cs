// What comes and goes within a domain: dynamic methods, exceptions thrown in finally blocks, a heap that grows.
using System;
using System.Linq.Expressions;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

class Tree {
  public Tree Left, Right;
  public byte[] Data;
  public static Tree Of(int depth) {
    return depth == 0 ? new Tree { Data = new byte[16] } : new Tree { Left = Of(depth - 1), Right = Of(depth - 1) };
  }
}

// An exception on its way through Outer, while Inner throws another one, and objects move.
static class Flights {
  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Thrown() { throw new InvalidOperationException("outer"); }
  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Inner() { throw new ArgumentException("inner"); }
  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Collecting() {
    try {
      Inner();
    } catch (ArgumentException) {
      GC.Collect(0);
      Tree.Of(10);
    }
  }
  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Outer() {
    try {
      Thrown();
    } finally {
      Collecting();
    }
  }
  public static int Run(int rounds) {
    int caught = 0;
    for (int i = 0; i < rounds; i++)
      try {
        Outer();
      } catch (InvalidOperationException) {
        caught++;
      }
    return caught;
  }
}

static class Program {
  static long Spin(Func<long, long> step) {
    long sum = 0;
    for (int i = 0; i < 20000; i++) sum = step(sum);
    return sum;
  }

  static Func<long, long> Emitted(int number) {
    var method = new DynamicMethod("emitted" + number, typeof(long), new[] { typeof(long) });
    ILGenerator code = method.GetILGenerator();
    code.Emit(OpCodes.Ldarg_0);
    code.Emit(OpCodes.Ldc_I8, (long)number);
    code.Emit(OpCodes.Add);
    code.Emit(OpCodes.Ret);
    return (Func<long, long>)method.CreateDelegate(typeof(Func<long, long>));
  }

  static Func<long, long> Compiled(int number) {
    ParameterExpression value = Expression.Parameter(typeof(long));
    return Expression.Lambda<Func<long, long>>(Expression.Add(value, Expression.Constant((long)number)), value).Compile();
  }

  static long Dynamic(int rounds) {
    long sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += Spin(Emitted(i)) + Spin(Compiled(i));
      if (i % 20 == 0) {
        GC.Collect();
        GC.WaitForPendingFinalizers();
      }
    }
    return sum;
  }

  static int Grow(int rounds) {
    var kept = new Tree[8];
    int whole = 0;
    for (int i = 0; i < rounds; i++) {
      kept[i % kept.Length] = Tree.Of(16);
      if (kept[i % kept.Length].Left.Right != null) whole++;
    }
    return whole;
  }

  static void Main(string[] args) {
    int rounds = int.Parse(args[1]);
    switch (args[0]) {
      case "dynamic": Console.WriteLine(Dynamic(rounds)); break;
      case "flights": Console.WriteLine(Flights.Run(rounds)); break;
      case "grow": Console.WriteLine(Grow(rounds)); break;
    }
  }
}
