// What C# does not write: an assembly made here, with tail calls, jmp, fault blocks and filters.
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.Loader;

namespace Exits;

static class TailCalls {
  const int Deep = 1_000_000, Rounds = 30;
  // Methods that stay on the stack when they call with `tail.`: the runtime does not do so out of synchronized ones, and
  // calls by a helper out of those with memory on the stack or with arguments that its caller has no room for.
  static readonly string[] StillThere = ["Synchronized", "StackAllocated", "ManyArguments"];

  public static void Run() {
    var assembly = new PersistedAssemblyBuilder(new AssemblyName("Tails"), typeof(object).Assembly);
    TypeBuilder type = assembly.DefineDynamicModule("Tails").DefineType("Exits.Tails", TypeAttributes.Public);
    TailAssembly.Define(type);
    type.CreateType();
    using var image = new MemoryStream();
    assembly.Save(image);
    image.Position = 0;
    Type tails = AssemblyLoadContext.Default.LoadFromStream(image).GetType("Exits.Tails")!;
    T Method<T>(string name) where T : Delegate => tails.GetMethod(name)!.CreateDelegate<T>();

    long sum = Method<Func<int, int>>("Down")(Deep) + Method<Func<int, int>>("Even")(Deep);
    var jumps = Method<Func<int, int>>("Jumps");
    var mixed = Method<Func<int, int>>("Mixed");
    var faults = Method<Func<int, int>>("Faults");
    var filters = Method<Func<int, int>>("Filters");
    int caught = 0;
    void Throws() {
      try { mixed(2); } catch (DivideByZeroException) { caught++; }
    }
    // One exception leaves while another waits for it, and one takes the place of another.
    void ThrowsMeanwhile() {
      try {
        try { mixed(2); } finally { Throws(); }
      } catch (DivideByZeroException) { caught++; }
      try {
        try { mixed(2); } finally { mixed(2); }
      } catch (DivideByZeroException) { caught++; }
    }
    for (int i = 0; i < Rounds; i++) {
      sum += jumps(i) + mixed(i % 2) + filters(i);
      try { faults(i); } catch (DivideByZeroException) { caught++; }
      // Throws by itself, before its tail call is reached.
      Throws();
      ThrowsMeanwhile();
      // The callee of the tail call throws; the caller is gone.
      try { mixed(3); } catch (DivideByZeroException) { caught++; }
    }
    // What these throw comes by their frames, though they have told that they leave.
    foreach (string name in StillThere) {
      var call = Method<Func<int, int>>(name);
      for (int i = 0; i < Rounds; i++) {
        sum += call(2);
        try { call(3); } catch (DivideByZeroException) { caught++; }
      }
      Known.Calls("Exits.Tails." + name, Rounds * 2, tail: Rounds * 2);
    }
    Known.Says($"{sum} {caught}");
    Known.Calls("Exits.Tails.Down", Deep + 1, tail: Deep);
    Known.Calls("Exits.Tails.Even", Deep / 2 + 1, tail: Deep / 2);
    Known.Calls("Exits.Tails.Odd", Deep / 2, tail: Deep / 2);
    Known.Calls("Exits.Tails.Jumps", Rounds, tail: Rounds);
    Known.Calls("Exits.Tails.Mixed", Rounds * 7, tail: Rounds / 2 + Rounds, exception: Rounds * 5);
    Known.Calls("Exits.Tails.Divide", Rounds / 2 + Rounds * 14, exception: Rounds * 11);
    Known.Calls("Exits.Tails.Faults", Rounds, exception: Rounds);
    Known.Calls("Exits.Tails.Filters", Rounds);
    Known.Calls("Exits.Tails.Target", Rounds);
  }
}

static class TailAssembly {
  const MethodAttributes Attributes = MethodAttributes.Public | MethodAttributes.Static;

  static MethodBuilder Add(TypeBuilder type, string name) => type.DefineMethod(name, Attributes, typeof(int), [typeof(int)]);

  public static void Define(TypeBuilder type) {
    MethodBuilder divide = Add(type, "Divide"), target = Add(type, "Target");
    MethodBuilder even = Add(type, "Even"), odd = Add(type, "Odd"), down = Add(type, "Down");
    // 100 / (3 - n)
    ILGenerator il = divide.GetILGenerator();
    il.Emit(OpCodes.Ldc_I4, 100);
    il.Emit(OpCodes.Ldc_I4_3);
    il.Emit(OpCodes.Ldarg_0);
    il.Emit(OpCodes.Sub);
    il.Emit(OpCodes.Div);
    il.Emit(OpCodes.Ret);
    il = target.GetILGenerator();
    il.Emit(OpCodes.Ldarg_0);
    il.Emit(OpCodes.Ldc_I4_1);
    il.Emit(OpCodes.Add);
    il.Emit(OpCodes.Ret);
    TailOrBase(down.GetILGenerator(), down);
    TailOrBase(even.GetILGenerator(), odd);
    TailOrBase(odd.GetILGenerator(), even);
    il = Add(type, "Jumps").GetILGenerator();
    il.Emit(OpCodes.Jmp, target);
    DefineMixed(Add(type, "Mixed").GetILGenerator(), divide);
    MethodBuilder last = type.DefineMethod("Last", Attributes, typeof(int), Enumerable.Repeat(typeof(int), 12).ToArray());
    il = last.GetILGenerator();
    il.Emit(OpCodes.Ldarg_0);
    il.Emit(OpCodes.Call, divide);
    il.Emit(OpCodes.Ret);
    MethodBuilder synchronized = Add(type, "Synchronized");
    synchronized.SetImplementationFlags(MethodImplAttributes.Synchronized);
    DefineTail(synchronized.GetILGenerator(), divide, 1);
    il = Add(type, "StackAllocated").GetILGenerator();
    il.Emit(OpCodes.Ldarg_0);
    il.Emit(OpCodes.Conv_U);
    il.Emit(OpCodes.Localloc);
    il.Emit(OpCodes.Pop);
    DefineTail(il, divide, 1);
    DefineTail(Add(type, "ManyArguments").GetILGenerator(), last, 12);
    DefineFaults(Add(type, "Faults").GetILGenerator(), divide);
    DefineFilters(Add(type, "Filters").GetILGenerator(), divide);
  }

  // n == 0 ? 0 : tail. next(n - 1)
  static void TailOrBase(ILGenerator il, MethodInfo next) {
    Label more = il.DefineLabel();
    il.Emit(OpCodes.Ldarg_0);
    il.Emit(OpCodes.Brtrue, more);
    il.Emit(OpCodes.Ldc_I4_0);
    il.Emit(OpCodes.Ret);
    il.MarkLabel(more);
    il.Emit(OpCodes.Ldarg_0);
    il.Emit(OpCodes.Ldc_I4_1);
    il.Emit(OpCodes.Sub);
    il.Emit(OpCodes.Tailcall);
    il.Emit(OpCodes.Call, next);
    il.Emit(OpCodes.Ret);
  }

  // 0: returns 7. 2: divides by zero in a call of its own. Else: tail. divide(n), which throws for 3.
  static void DefineMixed(ILGenerator il, MethodInfo divide) {
    Label notZero = il.DefineLabel(), tail = il.DefineLabel();
    il.Emit(OpCodes.Ldarg_0);
    il.Emit(OpCodes.Brtrue, notZero);
    il.Emit(OpCodes.Ldc_I4_7);
    il.Emit(OpCodes.Ret);
    il.MarkLabel(notZero);
    il.Emit(OpCodes.Ldarg_0);
    il.Emit(OpCodes.Ldc_I4_2);
    il.Emit(OpCodes.Bne_Un, tail);
    il.Emit(OpCodes.Ldc_I4_3);
    il.Emit(OpCodes.Call, divide);
    il.Emit(OpCodes.Pop);
    il.MarkLabel(tail);
    il.Emit(OpCodes.Ldarg_0);
    il.Emit(OpCodes.Tailcall);
    il.Emit(OpCodes.Call, divide);
    il.Emit(OpCodes.Ret);
  }

  // tail. next(n, n …)
  static void DefineTail(ILGenerator il, MethodInfo next, int arguments) {
    for (int i = 0; i < arguments; i++) il.Emit(OpCodes.Ldarg_0);
    il.Emit(OpCodes.Tailcall);
    il.Emit(OpCodes.Call, next);
    il.Emit(OpCodes.Ret);
  }

  static void DefineFaults(ILGenerator il, MethodInfo divide) {
    LocalBuilder result = il.DeclareLocal(typeof(int));
    il.BeginExceptionBlock();
    il.Emit(OpCodes.Ldc_I4_3);
    il.Emit(OpCodes.Call, divide);
    il.Emit(OpCodes.Stloc, result);
    il.BeginFaultBlock();
    il.Emit(OpCodes.Ldc_I4_1);
    il.Emit(OpCodes.Stloc, result);
    il.EndExceptionBlock();
    il.Emit(OpCodes.Ldloc, result);
    il.Emit(OpCodes.Ret);
  }

  static void DefineFilters(ILGenerator il, MethodInfo divide) {
    LocalBuilder result = il.DeclareLocal(typeof(int));
    il.BeginExceptionBlock();
    il.Emit(OpCodes.Ldc_I4_3);
    il.Emit(OpCodes.Call, divide);
    il.Emit(OpCodes.Stloc, result);
    il.BeginExceptFilterBlock();
    il.Emit(OpCodes.Pop);
    il.Emit(OpCodes.Ldc_I4_1);
    il.BeginCatchBlock(null);
    il.Emit(OpCodes.Pop);
    il.Emit(OpCodes.Ldarg_0);
    il.Emit(OpCodes.Stloc, result);
    il.EndExceptionBlock();
    il.Emit(OpCodes.Ldloc, result);
    il.Emit(OpCodes.Ret);
  }
}
