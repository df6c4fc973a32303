// Code that comes from elsewhere than an assembly's file: origins [PLUGIN]. What a test expects stands in
// tests/e2e/recording/user_code_test.py.
using System.Linq.Expressions;
using System.Reflection;
using System.Reflection.Emit;
using System.Text.RegularExpressions;

namespace Origins;

// Its name in metadata is the compiler's: <Program>F…__Hidden.
file static class Hidden {
  public static int Twice(int n) => n < 0 ? Twice(-n) : n + n;
}

public static class Program {
  public static int Add(int a, int b) => a < 0 ? Add(-a, b) : a + b;

  // Types that a module gets while it runs already.
  static int Emitted() {
    var assembly = AssemblyBuilder.DefineDynamicAssembly(new AssemblyName("Made"), AssemblyBuilderAccess.Run);
    ModuleBuilder module = assembly.DefineDynamicModule("Made");
    int sum = 0;
    foreach (string name in new[] { "Early.First", "Late.Second" }) {
      TypeBuilder type = module.DefineType(name, TypeAttributes.Public);
      MethodBuilder method = type.DefineMethod("Go", MethodAttributes.Public | MethodAttributes.Static, typeof(int),
                                               Type.EmptyTypes);
      ILGenerator il = method.GetILGenerator();
      il.Emit(OpCodes.Ldc_I4_5);
      il.Emit(OpCodes.Ret);
      sum += (int)type.CreateType().GetMethod("Go")!.Invoke(null, null)!;
    }
    return sum;
  }

  // An assembly that was read as a file's bytes.
  static int Plugin(string path) {
    Type type = Assembly.Load(File.ReadAllBytes(path)).GetType("Known.Recursion")!;
    return (int)type.GetMethod("Down")!.Invoke(null, [20])!;
  }

  // What libraries make for themselves.
  static int Generated() {
    Expression<Func<int, int>> more = x => x + 1;
    return more.Compile()(1) + (new Regex("a+b", RegexOptions.Compiled).IsMatch("aab") ? 1 : 0);
  }

  public static void Main(string[] args) {
    int sum = 0;
    for (int i = 0; i < 10; i++) sum = Add(sum, Hidden.Twice(i));
    sum += Emitted() + Generated();
    if (args.Length > 0) sum += Plugin(args[0]);
    Console.WriteLine($"sum {sum}");
  }
}
