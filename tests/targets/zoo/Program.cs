// One of each kind of method whose name the compiler or the runtime makes up. tests/coreclr/names_test.cc says what each
// is to be called. Every method that matters is kept from being inlined, so that it is compiled on its own.
using System.Reflection.Emit;
using static System.Runtime.CompilerServices.MethodImplOptions;
using MethodImpl = System.Runtime.CompilerServices.MethodImplAttribute;

var cart = new Shop.Cart();
await cart.AddAsync("apple", 3);
await cart.AddAsync(7);
await cart.Only();
foreach (int _ in cart.Items(2)) { }
await foreach (int _ in cart.Stream(2)) { }
cart.Lambdas(5);
cart.Locals(5);
await cart.AsyncLambda();
cart[1] = cart[0] + 1;
_ = new Shop.Vector(1, 2) + new Shop.Vector(3, 4);
_ = (int)new Shop.Vector(1, 2);
Shop.Generic<int>.Of(1, "one");
Shop.Generic<string>.Of("one", 1);
Shop.Generic<string>.Inner<double>.Deep("x", 2.0, 3L);
await new Shop.Generic<int>().LaterAsync<string>("x");
new Shop.Outer.Middle.Innermost().Nested(new Shop.Outer.Middle());
Shop.Shapes.Arrays(new int[1], new int[1, 1], new string[1][]);
int number = 1;
Shop.Shapes.References(ref number, out _, in number);
Shop.Shapes.CallPointers();
Shop.Shapes.Wide(1, null, (1, "x"), []);
Shop.Shapes.Anonymous(new { Name = "x", Price = 1 }.ToString());
((IDisposable)cart).Dispose();
Console.WriteLine(Dynamic()(20, 22));
Console.WriteLine(Helper(41));
Func<int, int> top = x => x + number;
Console.WriteLine(top(1));
new FileLocal().Local();

[MethodImpl(NoInlining)]
static int Helper(int x) => x + 1;

static Func<int, int, int> Dynamic() {
  var method = new DynamicMethod("AddUp", typeof(int), [typeof(int), typeof(int)]);
  ILGenerator il = method.GetILGenerator();
  il.Emit(OpCodes.Ldarg_0);
  il.Emit(OpCodes.Ldarg_1);
  il.Emit(OpCodes.Add);
  il.Emit(OpCodes.Ret);
  return method.CreateDelegate<Func<int, int, int>>();
}

file sealed class FileLocal {
  [MethodImpl(NoInlining)]
  public void Local() { }
}
