// Two versions of one assembly in one process: what is a class in one is a struct in the other. Whoever changes code that
// makes such things must know which it has before it.
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.Loader;

string root = Directory.CreateTempSubdirectory("versions-").FullName;
try {
  string[] order = args.Length > 0 ? args : ["class", "struct"];
  foreach (string kind in order) Make(Path.Combine(root, kind), kind == "struct");
  foreach (string kind in order) {
    Assembly user = new Version(Path.Combine(root, kind)).LoadFromAssemblyPath(Path.Combine(root, kind, "User.dll"));
    var twice = user.GetType("User")!.GetMethod("Twice")!.CreateDelegate<Func<int, int>>();
    int sum = 0;
    for (int i = 0; i < 1000; i++) sum += twice(i);
    Console.WriteLine($"{kind}: {sum}");
  }
} finally {
  Directory.Delete(root, recursive: true);
}

// Thing.dll with a type that holds a number, and User.dll with a method that makes one and asks it.
static void Make(string folder, bool isStruct) {
  Directory.CreateDirectory(folder);
  var thing = new PersistedAssemblyBuilder(new AssemblyName("Thing"), typeof(object).Assembly);
  TypeBuilder type = thing.DefineDynamicModule("Thing").DefineType(
      "Thing", TypeAttributes.Public | TypeAttributes.Sealed, isStruct ? typeof(ValueType) : typeof(object));
  FieldBuilder field = type.DefineField("Value", typeof(int), FieldAttributes.Public);
  ConstructorBuilder constructor = type.DefineConstructor(MethodAttributes.Public, CallingConventions.HasThis, [typeof(int)]);
  ILGenerator il = constructor.GetILGenerator();
  if (!isStruct) {
    il.Emit(OpCodes.Ldarg_0);
    il.Emit(OpCodes.Call, typeof(object).GetConstructor([])!);
  }
  il.Emit(OpCodes.Ldarg_0);
  il.Emit(OpCodes.Ldarg_1);
  il.Emit(OpCodes.Ldc_I4_2);
  il.Emit(OpCodes.Mul);
  il.Emit(OpCodes.Stfld, field);
  il.Emit(OpCodes.Ret);
  type.CreateType();
  thing.Save(Path.Combine(folder, "Thing.dll"));

  var user = new PersistedAssemblyBuilder(new AssemblyName("User"), typeof(object).Assembly);
  TypeBuilder userType = user.DefineDynamicModule("User").DefineType("User", TypeAttributes.Public);
  il = userType.DefineMethod("Twice", MethodAttributes.Public | MethodAttributes.Static, typeof(int), [typeof(int)])
               .GetILGenerator();
  il.Emit(OpCodes.Ldarg_0);
  il.Emit(OpCodes.Newobj, constructor);
  il.Emit(OpCodes.Ldfld, field);
  il.Emit(OpCodes.Ret);
  userType.CreateType();
  user.Save(Path.Combine(folder, "User.dll"));
}

class Version(string folder) : AssemblyLoadContext(folder) {
  protected override Assembly? Load(AssemblyName name) =>
      name.Name == "Thing" ? LoadFromAssemblyPath(Path.Combine(folder, "Thing.dll")) : null;
}
