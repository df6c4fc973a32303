// Code that comes and goes: loops that are replaced while they run, methods made at run time, assemblies that are unloaded.
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;

namespace Stress;

public static class Code {
  interface IShape { double Area(); }
  sealed record Square(double Side) : IShape { public double Area() => Side * Side; }
  sealed record Circle(double Radius) : IShape { public double Area() => Radius * Radius * 3; }
  struct Pair { public long A, B, C, D; }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static long Nested(int rounds) {
    long sum = 0;
    for (int i = 0; i < rounds; i++) {
      for (int k = 0; k < 100; k++) {
        sum += i ^ k;
      }
    }
    return sum;
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static double Shapes(IShape[] shapes, int rounds) {
    double sum = 0;
    for (int i = 0; i < rounds; i++) {
      sum += shapes[i % shapes.Length].Area();
    }
    return sum;
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static int Guarded(int rounds) {
    int caught = 0;
    for (int i = 0; i < rounds; i++) {
      try {
        if (i % 1000 == 999) {
          throw new InvalidOperationException();
        }
        caught += i & 1;
      } catch (InvalidOperationException) when (i % 2 == 1) {
        caught += 2;
      } finally {
        caught++;
      }
    }
    return caught;
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static long Structures(int rounds) {
    var pair = new Pair { A = 1 };
    Span<Pair> pairs = stackalloc Pair[8];
    for (int i = 0; i < rounds; i++) {
      pair = Turn(pair);
      pairs[i % 8] = pair;
    }
    return pair.A + pairs[3].B;
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static Pair Turn(Pair pair) => new() { A = pair.D + 1, B = pair.A, C = pair.B, D = pair.C };

  static IEnumerable<int> Numbers(int count) {
    for (int i = 0; i < count; i++) {
      yield return i;
    }
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static T Generic<T>(T[] items, int rounds) {
    T last = items[0];
    for (int i = 0; i < rounds; i++) {
      last = items[i % items.Length];
    }
    return last;
  }

  // Each loop on two threads, several times.
  public static int Loops(string[] args) {
    var told = new string[2];
    Tools.Together(2, thread => {
      var lines = new List<string>();
      for (int turn = 0; turn < 3; turn++) {
        lines.Add($"{Nested(20000)} {Shapes([new Square(2), new Circle(1)], 50000)} {Guarded(5000)} " +
                  $"{Structures(50000)} {Numbers(20000).Sum(number => (long)number)} {Generic(["a", "b"], 20000)} " +
                  $"{Generic([1, 2, 3], 20000)} {Tools.Work(2000)}");
      }
      told[thread] = string.Join("\n", lines);
    });
    Console.WriteLine(string.Join("\n", told));
    return 0;
  }

  // Dynamic methods by the thousand, and types of assemblies made at run time.
  public static int Dynamic(string[] args) {
    long sum = 0;
    Tools.Together(2, _ => {
      for (int i = 0; i < 1500; i++) {
        Interlocked.Add(ref sum, MakeAdder(i)(i));
      }
    });
    Console.WriteLine($"dynamic {sum}");
    for (int i = 0; i < 50; i++) {
      sum += CallMade(i);
      if (i % 10 == 0) {
        GC.Collect();
      }
    }
    Console.WriteLine($"made {sum}");
    return 0;
  }

  static Func<int, int> MakeAdder(int number) {
    var method = new DynamicMethod($"add{number}", typeof(int), [typeof(int)], typeof(Code).Module, skipVisibility: true);
    ILGenerator il = method.GetILGenerator();
    il.Emit(OpCodes.Ldarg_0);
    il.Emit(OpCodes.Ldc_I4, number);
    il.Emit(OpCodes.Newarr, typeof(int));
    il.Emit(OpCodes.Ldlen);
    il.Emit(OpCodes.Conv_I4);
    il.Emit(OpCodes.Add);
    il.Emit(OpCodes.Ret);
    return method.CreateDelegate<Func<int, int>>();
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static int CallMade(int number) {
    var assembly = AssemblyBuilder.DefineDynamicAssembly(new($"made{number}"), AssemblyBuilderAccess.RunAndCollect);
    TypeBuilder type = assembly.DefineDynamicModule("made").DefineType("Made", TypeAttributes.Public);
    MethodBuilder method = type.DefineMethod("Answer", MethodAttributes.Public | MethodAttributes.Static, typeof(int), []);
    ILGenerator il = method.GetILGenerator();
    il.Emit(OpCodes.Ldc_I4, number);
    il.Emit(OpCodes.Ret);
    return (int)type.CreateType().GetMethod("Answer")!.Invoke(null, null)!;
  }

  public static long CalledInContext(int number) => Tools.Work(20 + number % 7) + number;

  [MethodImpl(MethodImplOptions.NoInlining)]
  static (long, WeakReference) CallInContext(int number) {
    var context = new AssemblyLoadContext($"context {number}", isCollectible: true);
    Type type = context.LoadFromAssemblyPath(typeof(Code).Assembly.Location).GetType("Stress.Code")!;
    long answer = (long)type.GetMethod(nameof(CalledInContext))!.Invoke(null, [number])!;
    context.Unload();
    return (answer, new WeakReference(context));
  }

  // Collectible contexts with this assembly in them, on two threads; all go in the end.
  public static int Contexts(string[] args) {
    long sum = 0;
    int left = 0;
    Tools.Together(2, thread => {
      var contexts = new List<WeakReference>();
      for (int i = 0; i < 50; i++) {
        var (answer, context) = CallInContext(i);
        Interlocked.Add(ref sum, answer);
        contexts.Add(context);
      }
      for (int i = 0; i < 50 && contexts.Any(context => context.IsAlive); i++) {
        GC.Collect();
        GC.WaitForPendingFinalizers();
      }
      Interlocked.Add(ref left, contexts.Count(context => context.IsAlive));
    });
    Console.WriteLine($"contexts {sum}, {left} left");
    return 0;
  }
}
