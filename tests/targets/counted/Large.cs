using System.Reflection;
using System.Reflection.Emit;

// A method with so many conditions, of which each run meets one: `if (number == 0) met++; if (number == 1) met++; …`
static class Large {
  public static void Run(int conditions) {
    var made = new PersistedAssemblyBuilder(new AssemblyName("Made"), typeof(object).Assembly);
    TypeBuilder type = made.DefineDynamicModule("Made").DefineType("Many", TypeAttributes.Public);
    MethodBuilder method = type.DefineMethod("Ask", MethodAttributes.Public | MethodAttributes.Static, typeof(int), [typeof(int)]);
    ILGenerator il = method.GetILGenerator();
    LocalBuilder met = il.DeclareLocal(typeof(int));
    for (int i = 0; i < conditions; i++) {
      Label next = il.DefineLabel();
      il.Emit(OpCodes.Ldarg_0);
      il.Emit(OpCodes.Ldc_I4, i);
      il.Emit(OpCodes.Bne_Un, next);
      il.Emit(OpCodes.Ldloc, met);
      il.Emit(OpCodes.Ldc_I4_1);
      il.Emit(OpCodes.Add);
      il.Emit(OpCodes.Stloc, met);
      il.MarkLabel(next);
    }
    il.Emit(OpCodes.Ldloc, met);
    il.Emit(OpCodes.Ret);
    type.CreateType();
    var bytes = new MemoryStream();
    made.Save(bytes);
    MethodInfo ask = Assembly.Load(bytes.ToArray()).GetType("Many")!.GetMethod("Ask")!;
    foreach (int number in new[] { 0, conditions - 1, conditions }) Console.WriteLine(ask.Invoke(null, [number]));
  }
}
