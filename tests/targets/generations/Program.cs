// Loads assemblies into contexts of their own, one after the other, uses their types and has them collected, so that the
// runtime uses their memory again: each has types of its own name, Thing1 and Point1, Thing2 and Point2 … Of each there
// are made the class itself, an array, an array of arrays, a list, a dictionary, a pair and a box.
//
// The runtime takes memory for types from a region of 2 GB at first and uses none of it twice: that is used up before.
//
//   generations COUNT [fresh]    fresh: it is not used up, which takes most of the time
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;

bool again = args.Length == 1 && UseUpFreshMemory();
int gone = 0, count = int.Parse(args[0]);
for (int number = 1; number <= count; number++) {
  if (Collect(LoadAndUse(number))) gone++;
}
Console.WriteLine($"{gone} of {count} gone, memory is {(again ? "" : "not ")}used again");

static bool UseUpFreshMemory() {
  byte[] image = Build(0).ToArray();
  var places = new HashSet<nint>();
  for (int loaded = 1; loaded < 50_000; loaded++) {
    if (!places.Add(LoadOnly(image))) return true;
    if (loaded % 20 != 0) continue;
    GC.Collect();
    GC.WaitForPendingFinalizers();
  }
  return false;
}

[MethodImpl(MethodImplOptions.NoInlining)]
static nint LoadOnly(byte[] image) {
  var context = new AssemblyLoadContext("filler", isCollectible: true);
  Assembly assembly = context.LoadFromStream(new MemoryStream(image));
  context.Unload();
  return assembly.GetType("Thing0")!.TypeHandle.Value;
}

[MethodImpl(MethodImplOptions.NoInlining)]
static WeakReference LoadAndUse(int number) {
  var context = new AssemblyLoadContext("generation", isCollectible: true);
  using MemoryStream image = Build(number);
  Assembly assembly = context.LoadFromStream(image);
  Use(assembly.GetType($"Thing{number}")!);
  Use(assembly.GetType($"Point{number}")!);
  context.Unload();
  return new WeakReference(context);
}

static void Use(Type type) =>
    typeof(Maker).GetMethod("Make")!.MakeGenericMethod(type).CreateDelegate<Func<int, object[]>>()(3);

static MemoryStream Build(int number) {
  var assembly = new PersistedAssemblyBuilder(new AssemblyName($"Generation{number}"), typeof(object).Assembly);
  ModuleBuilder module = assembly.DefineDynamicModule($"Generation{number}");
  TypeBuilder thing = module.DefineType($"Thing{number}", TypeAttributes.Public);
  thing.DefineDefaultConstructor(MethodAttributes.Public);
  thing.CreateType();
  TypeBuilder point = module.DefineType($"Point{number}", TypeAttributes.Public | TypeAttributes.Sealed, typeof(ValueType));
  point.DefineField("X", typeof(int), FieldAttributes.Public);
  point.CreateType();
  var image = new MemoryStream();
  assembly.Save(image);
  image.Position = 0;
  return image;
}

static bool Collect(WeakReference context) {
  for (int i = 0; i < 50 && context.IsAlive; i++) {
    GC.Collect();
    GC.WaitForPendingFinalizers();
  }
  return !context.IsAlive;
}

static class Maker {
  // Its code is shared by all classes, and compiled anew for each struct.
  public static object[] Make<T>(int n) where T : new() {
    var kept = new object[7];
    for (int i = 0; i < n; i++) {
      kept[0] = new T()!;
      kept[1] = new T[i];
      kept[2] = new T[i][];
      kept[3] = new List<T>();
      kept[4] = new Dictionary<int, T[]>();
      kept[5] = new KeyValuePair<T, int>[i];
      kept[6] = new KeyValuePair<T, int>(new T(), i);
    }
    return kept;
  }
}
