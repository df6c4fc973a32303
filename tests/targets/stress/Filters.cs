// Exceptions through filters while other threads collect, which moves the exceptions on their way.
using System.Reflection;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

namespace Stress;

public static class Filters {
  sealed class Refusal(int number) : Exception($"refused {number}") {
    public readonly int Number = number;
    public readonly int[] Body = [number, number + 1, number + 2];
    public bool IsWhole => Body.Length == 3 && Body[0] == Number && Body[2] == Number + 2 && Message == $"refused {Number}";
  }

  // With names of ways as arguments, these; with a number first, so many rounds of each.
  public static int Run(string[] args) {
    int rounds = args.Length > 0 && int.TryParse(args[0], out int given) ? given : 300;
    bool ended = false;
    var collector = new Thread(() => {
      for (int i = 0; !Volatile.Read(ref ended); i++) {
        GC.Collect(i % 3);
        Thread.Sleep(1);
      }
    });
    collector.Start();
    foreach (var (name, way) in Ways) {
      if (args.All(arg => int.TryParse(arg, out _)) || args.Contains(name)) {
        var sums = new long[4];
        Tools.Together(4, thread => {
          for (int i = 0; i < rounds; i++) {
            sums[thread] += way(i);
          }
        });
        Console.WriteLine($"{name} {string.Join(" ", sums)}");
      }
    }
    Volatile.Write(ref ended, true);
    collector.Join();
    return 0;
  }

  static readonly (string Name, Func<int, long> Way)[] Ways = [
    ("nested", Nested), ("deep", Deep), ("through-reflection", ThroughReflection), ("static-constructor", StaticConstructor),
    ("thrown-in-filter", ThrownInFilter), ("replaced-in-finally", Replaced), ("not-an-exception", NotAnException),
    ("of-the-processor", OfProcessor), ("async", Async), ("on-short-threads", OnShortThreads),
  ];

  // Garbage before and behind it, so that there is where to move it to.
  [MethodImpl(MethodImplOptions.NoInlining)]
  static Exception Make(int number) {
    GC.KeepAlive(new byte[200 + number % 100]);
    var made = new Refusal(number);
    GC.KeepAlive(new byte[100]);
    return made;
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Throw(int depth, int number) {
    if (depth == 0) {
      throw Make(number);
    }
    try {
      Throw(depth - 1, number);
    } finally {
      GC.KeepAlive(new byte[64]);
    }
  }

  static bool IsWhole(Exception e, int number) => e is Refusal refusal && refusal.Number == number && refusal.IsWhole;

  static bool Asks(Exception e, int number, bool answer) {
    try {
      throw new FormatException();
    } catch (FormatException) { }
    return IsWhole(e, number) ? answer : throw new InvalidOperationException();
  }

  static long Nested(int i) {
    try {
      try {
        Throw(i % 25, i);
      } catch (Exception e) when (Asks(e, i, i % 3 == 0)) {
        try {
          throw;
        } catch (Refusal again) when (IsWhole(again, i)) {
          return 3;
        }
      }
    } catch (Refusal e) {
      return e.StackTrace!.Length > 0 ? 100 : 0;
    }
    return 0;
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static int Filtered(int depth, int outermost, int number) {
    try {
      if (depth == 0) {
        Throw(2, number);
      }
      return Filtered(depth - 1, outermost, number);
    } catch (Exception e) when (Asks(e, number, depth == outermost)) {
      return depth;
    }
  }

  static long Deep(int i) {
    int outermost = i % 10 == 0 ? 20 : 2;
    return Filtered(outermost, outermost, i) == outermost ? 1 : 1000;
  }

  public static void ThrowTwo(int number) => Throw(2, number);

  static long ThroughReflection(int i) {
    MethodInfo method = typeof(Filters).GetMethod(nameof(ThrowTwo))!;
    try {
      method.Invoke(null, BindingFlags.DoNotWrapExceptions, null, [i], null);
    } catch (Exception e) when (Asks(e, i, true)) {
      return 1;
    }
    return 0;
  }

  sealed class Broken<T> {
    public static readonly int Value;
    static Broken() => Throw(3, 77);
  }

  static long StaticConstructor(int i) {
    try {
      return i % 2 == 0 ? Broken<int>.Value : Broken<string>.Value;
    } catch (TypeInitializationException e) when (Asks(e.InnerException!, 77, true)) {
      return 1;
    }
  }

  static bool Throws(int number) {
    Throw(1, number);
    return true;
  }

  static long ThrownInFilter(int i) {
    try {
      try {
        Throw(1, i);
      } catch (Refusal) when (Throws(i + 1)) {
        return 1000;
      }
    } catch (Refusal e) when (Asks(e, i, true)) {
      return 1;
    }
    return 0;
  }

  static long Replaced(int i) {
    try {
      try {
        Throw(1, i);
      } finally {
        Throw(1, i + 1);
      }
    } catch (Exception e) when (Asks(e, ((Refusal)e).Number, true)) {  // of both: the second came after it said yes
      return IsWhole(e, i + 1) ? 1 : 1000;
    }
    return 0;
  }

  // What no language with exceptions' classes does: a string is thrown, and a filter gets it as it is.
  static readonly Func<string, bool> ThrowsText = MakeThrowsText();

  static Func<string, bool> MakeThrowsText() {
    var assembly = AssemblyBuilder.DefineDynamicAssembly(new AssemblyName("Texts"), AssemblyBuilderAccess.Run,
        [new CustomAttributeBuilder(typeof(RuntimeCompatibilityAttribute).GetConstructor([])!, [],
            [typeof(RuntimeCompatibilityAttribute).GetProperty("WrapNonExceptionThrows")!], [false])]);
    TypeBuilder type = assembly.DefineDynamicModule("Texts").DefineType("Texts", TypeAttributes.Public);
    MethodBuilder method = type.DefineMethod("Throw", MethodAttributes.Public | MethodAttributes.Static, typeof(bool),
                                             [typeof(string)]);
    ILGenerator il = method.GetILGenerator();
    LocalBuilder result = il.DeclareLocal(typeof(bool));
    il.BeginExceptionBlock();
    il.Emit(OpCodes.Ldarg_0);
    il.Emit(OpCodes.Throw);
    il.BeginExceptFilterBlock();
    il.Emit(OpCodes.Call, typeof(Filters).GetMethod(nameof(IsText))!);
    il.BeginCatchBlock(null);
    il.Emit(OpCodes.Call, typeof(Filters).GetMethod(nameof(IsText))!);
    il.Emit(OpCodes.Stloc, result);
    il.EndExceptionBlock();
    il.Emit(OpCodes.Ldloc, result);
    il.Emit(OpCodes.Ret);
    return type.CreateType().GetMethod("Throw")!.CreateDelegate<Func<string, bool>>();
  }

  public static bool IsText(object thrown) => thrown is string { Length: 40 } text && text[0] == text[39];

  static long NotAnException(int i) => ThrowsText(new string((char)('a' + i % 26), 40)) ? 1 : 0;

  [MethodImpl(MethodImplOptions.NoInlining)]
  static int ReadNull(string? text) => text!.Length;

  static long OfProcessor(int i) {
    try {
      return ReadNull(null);
    } catch (Exception e) when (e is NullReferenceException && Asks(Make(i), i, true)) {
      return e.Message.Length > 0 ? 1 : 0;
    }
  }

  static async Task<long> Later(int i) {
    try {
      await Task.Yield();
      Throw(2, i);
    } catch (Refusal e) when (Asks(e, i, true)) {
      return 1;
    }
    return 0;
  }

  static long Async(int i) => i % 4 == 0 ? Later(i).Result : 0;

  static long OnShortThreads(int i) {
    long result = 0;
    if (i % 10 == 0) {
      Tools.Together(2, _ => Interlocked.Add(ref result, Nested(i)));
    }
    return result;
  }
}
