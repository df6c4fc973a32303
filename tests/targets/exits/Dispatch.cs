// Calls that choose their callee late.
using System.Linq.Expressions;
using System.Reflection.Emit;

namespace Exits;

interface IShape {
  int Area();
  int Twice() => Area() * 2;
  static abstract int Sides();
}
class Square : IShape {
  public virtual int Area() => 4;
  public static int Sides() => 4;
}
sealed class BigSquare : Square {
  public override int Area() => base.Area() + 5;
}
struct Dot : IShape {
  public readonly int Area() => 1;
  public static int Sides() => 0;
}

static class Dispatch {
  const int Rounds = 40;
  static int calls;

  static int SidesOf<T>() where T : IShape => T.Sides();
  public static int Target(int i) => i + ++calls % 2;
  static int ByDelegate(Func<int, int> target, int i) => target(i);

  static int Nested(int i) {
    int Local(int x) => x + i;
    static int StaticLocal(int x) => x * 2;
    Func<int, int> lambda = x => Local(x) + StaticLocal(x);
    return lambda(i);
  }

  static Func<int, int> MadeAtRunTime() {
    var made = new DynamicMethod("made", typeof(int), [typeof(int)], typeof(Dispatch).Module);
    ILGenerator il = made.GetILGenerator();
    il.Emit(OpCodes.Ldarg_0);
    il.Emit(OpCodes.Call, typeof(Dispatch).GetMethod(nameof(Target))!);
    il.Emit(OpCodes.Ret);
    return made.CreateDelegate<Func<int, int>>();
  }
  static Func<int, int> Compiled() {
    ParameterExpression x = Expression.Parameter(typeof(int));
    return Expression.Lambda<Func<int, int>>(Expression.Call(typeof(Dispatch), nameof(Target), null, x), x).Compile();
  }

  public static unsafe void Run() {
    int sum = 0;
    IShape[] shapes = [new Square(), new BigSquare(), new Dot()];
    Func<int, int> made = MadeAtRunTime(), compiled = Compiled();
    delegate*<int, int> pointer = &Target;
    for (int i = 0; i < Rounds; i++) {
      foreach (IShape shape in shapes) sum += shape.Area() + shape.Twice();
      sum += SidesOf<Square>() + SidesOf<Dot>();
      sum += made(i) + compiled(i) + pointer(i) + ByDelegate(Target, i) + Nested(i);
      sum += (int)typeof(Dispatch).GetMethod(nameof(Target))!.Invoke(null, [i])!;
    }
    Known.Says(sum);
    Known.Calls("Exits.Square.Area", Rounds * 4);
    Known.Calls("Exits.BigSquare.Area", Rounds * 2);
    Known.Calls("Exits.Dot.Area", Rounds * 2);
    Known.Calls("Exits.IShape.Twice", Rounds * 3);
    Known.Calls("Exits.Square.Sides", Rounds);
    Known.Calls("Exits.Dot.Sides", Rounds);
    Known.Calls("Exits.Dispatch.SidesOf", Rounds * 2);
    Known.Calls("Exits.Dispatch.Target", Rounds * 5);
    Known.Calls("Exits.Dispatch.ByDelegate", Rounds);
    Known.Calls("Exits.Dispatch.Nested", Rounds);
  }
}
