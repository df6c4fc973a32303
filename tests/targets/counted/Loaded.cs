using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;

// Assemblies that come from bytes, also into a context that goes again, and a method that is no assembly's.
static class Loaded {
  public static void Run(string path) {
    byte[] bytes = File.ReadAllBytes(path);
    Console.WriteLine(Call(Assembly.Load(bytes), "Add"));
    WeakReference context = InContext(bytes);
    for (int i = 0; i < 20 && context.IsAlive; i++) {
      GC.Collect();
      GC.WaitForPendingFinalizers();
    }
    Console.WriteLine(context.IsAlive ? "still there" : "gone");
    Console.WriteLine(Dynamic()(20));
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static WeakReference InContext(byte[] bytes) {
    var context = new AssemblyLoadContext("passing", isCollectible: true);
    Console.WriteLine(Call(context.LoadFromStream(new MemoryStream(bytes)), "Round"));
    context.Unload();
    return new WeakReference(context);
  }

  static object? Call(Assembly assembly, string name) {
    object[] arguments = name == "Add" ? [1, 2] : [3];
    return assembly.GetType("Hot")!.GetMethod(name, BindingFlags.NonPublic | BindingFlags.Static)!.Invoke(null, arguments);
  }

  static Func<int, int> Dynamic() {
    var method = new DynamicMethod("Twice", typeof(int), [typeof(int)]);
    ILGenerator il = method.GetILGenerator();
    il.Emit(OpCodes.Ldarg_0);
    il.Emit(OpCodes.Ldc_I4_2);
    il.Emit(OpCodes.Mul);
    il.Emit(OpCodes.Ret);
    return method.CreateDelegate<Func<int, int>>();
  }
}
