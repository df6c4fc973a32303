// Methods of every shape: generic, with structs of odd layouts, by reference, synchronized.
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace Exits;

[StructLayout(LayoutKind.Explicit)]
struct Overlaid {
  [FieldOffset(0)] public long Whole;
  [FieldOffset(0)] public int Low;
  [FieldOffset(4)] public int High;
  public readonly int Sum() => Low + High;
  public static Overlaid Of(long whole) => new() { Whole = whole };
}

ref struct Window(Span<int> values) {
  readonly Span<int> values = values;
  public readonly ref int First() => ref values[0];
  public readonly Window Rest() => new(values[1..]);
  public readonly int Length => values.Length;
}

struct Large {
  public long A, B, C, D, E, F, G, H;
  public static Large Of(long a) => new() { A = a, H = a };
}

[InlineArray(8)]
struct Eight { int first; }

static class Generic<T> {
  static Generic() => Shapes.Initialized++;
  public static T? Default() => default;
  public static T Echo(T value) => value;
  public static U Convert<U>(T value, Func<T, U> by) => by(value);
}

static class Shapes {
  public static int Initialized;
  const int Rounds = 50;
  static readonly object gate = new();
  static int counter;

  static ref readonly Large Larger(in Large a, in Large b) => ref a.A >= b.A ? ref a : ref b;
  static ref int Slot(int[] values, int i) => ref values[i];
  static void Out(int i, out int twice) => twice = i * 2;
  static int SumOf(params ReadOnlySpan<int> values) {
    int sum = 0;
    foreach (int value in values) sum += value;
    return sum;
  }
  static int WindowSum(Window window) => window.Length == 1 ? window.First() : window.First() + WindowSum(window.Rest());
  static Eight Array8(int i) {
    Eight all = default;
    for (int at = 0; at < 8; at++) all[at] = i + at;
    return all;
  }
  [MethodImpl(MethodImplOptions.Synchronized)]
  static int Synchronized(int i) => i % 2 == 0 ? ++counter : throw new Refusal("odd");
  [MethodImpl(MethodImplOptions.AggressiveInlining)]
  static int Inlined(int i) => i + 1;
  [MethodImpl(MethodImplOptions.AggressiveOptimization)]
  static int Optimized(int i) { for (int at = 0; at < 10; at++) i += at; return i; }
  [MethodImpl(MethodImplOptions.NoInlining)]
  static int Apart(int i) => i + 1;
  static double Floats(float a, double b) => a + b;
  static Int128 Wide(Int128 a, decimal b) => a + (Int128)b;
  static (int, string, object?) Tuple(int i) => (i, "x", null);
  static int Locks(int i) {
    lock (gate) return i;
  }
  static int Switches(int i) => i switch { 0 => 5, 1 => 6, 2 => 7, 3 => 8, _ => Apart(i) };
  static int Stackalloc(int n) {
    Span<byte> bytes = stackalloc byte[n];
    bytes.Fill(1);
    int sum = 0;
    foreach (byte b in bytes) sum += b;
    return sum;
  }
  static unsafe int Pointer(int* p) => *p + 1;
  static async Task<int> Never(int i) { await Task.Yield(); return i; }
  static dynamic Dynamic(dynamic a) => a + 1;
  static bool IsType<T>(object o) where T : class => o is T;
  static T New<T>() where T : new() => new();

  static int SynchronizedCaught(int i) {
    try { return Synchronized(i) > 0 ? 1 : 0; } catch (Refusal) { return 2; }
  }

  public static unsafe void Run() {
    long sum = 0;
    int[] values = [1, 2, 3, 4, 5];
    for (int i = 0; i < Rounds; i++) {
      sum += Overlaid.Of(((long)i << 32) + i).Sum();
      Large one = Large.Of(i), other = Large.Of(25);
      sum += Larger(in one, in other).H;
      Slot(values, i % 5)++;
      Out(i, out int twice);
      sum += twice + SumOf(1, 2, i) + WindowSum(new Window(values)) + Array8(i)[3] + SynchronizedCaught(i);
      sum += Inlined(i) + Optimized(i) + Apart(i) + (long)Floats(i, 0.5) + (long)Wide(i, 3m) + Tuple(i).Item1 + Locks(i);
      sum += Switches(i % 6) + Stackalloc(100) + Pointer(&i);
      sum += Generic<int>.Echo(i) + Generic<string>.Echo("abc").Length + Generic<object>.Echo("ab").ToString()!.Length;
      sum += Generic<long>.Convert(i, x => (int)x) + Generic<string>.Convert("1", int.Parse);
      sum += Generic<List<string>>.Default() == null ? 1 : 0;
      sum += (IsType<string>("x") ? 1 : 0) + (IsType<Exception>("x") ? 1 : 0) + New<Large>().A + New<List<int>>().Count;
      sum += (int)Dynamic(i);
    }
    Known.Says($"{sum} {counter} {Initialized} {string.Join(' ', values)} {Waits.Pool.Result(() => Never(3))}");
    Known.Calls("Exits.Overlaid.Sum", Rounds);
    Known.Calls("Exits.Overlaid.Of", Rounds);
    Known.Calls("Exits.Window.First", Rounds * 5);
    Known.Calls("Exits.Window.Rest", Rounds * 4);
    Known.Calls("Exits.Shapes.Larger", Rounds);
    Known.Calls("Exits.Shapes.Slot", Rounds);
    Known.Calls("Exits.Shapes.Out", Rounds);
    Known.Calls("Exits.Shapes.SumOf", Rounds);
    Known.Calls("Exits.Shapes.WindowSum", Rounds * 5);
    Known.Calls("Exits.Shapes.Array8", Rounds);
    Known.Calls("Exits.Shapes.Synchronized", Rounds, exception: Rounds / 2);
    Known.Calls("Exits.Shapes.Inlined", Rounds);
    Known.Calls("Exits.Shapes.Optimized", Rounds);
    Known.Calls("Exits.Shapes.Floats", Rounds);
    Known.Calls("Exits.Shapes.Wide", Rounds);
    Known.Calls("Exits.Shapes.Tuple", Rounds);
    Known.Calls("Exits.Shapes.Locks", Rounds);
    Known.Calls("Exits.Shapes.Stackalloc", Rounds);
    Known.Calls("Exits.Shapes.Pointer", Rounds);
    Known.Calls("Exits.Shapes.Dynamic", Rounds);
    Known.Calls("Exits.Shapes.IsType", Rounds * 2);
    Known.Calls("Exits.Shapes.New", Rounds * 2);
    Known.Calls("Exits.Generic.Echo", Rounds * 3);
    Known.Calls("Exits.Generic.Convert", Rounds * 2);
    Known.Calls("Exits.Generic.Default", Rounds);
    Known.Calls("Exits.Generic..cctor", 5);
  }
}
