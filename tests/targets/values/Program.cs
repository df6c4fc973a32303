// Methods whose arguments and results are known, of every kind of value.
using System.Runtime.CompilerServices;

int five = 5;
Values.Numbers(true, 'A', -7, 1L << 40, 2.5);
Values.Text("hello", null);
Values.Increment(ref five);
Values.Pair((1, 2));
Values.Span("abc".AsSpan());
Values.Generic(42);
Values.Generic("text");
Values.Generic((int?)null);
Values.Nothing();
new Values(9).Instance(3);
new Values.Point { X = 1, Y = 2 }.Sum();
new Values.Twin<byte> { A = 1, B = 2 }.Total(7);
new Values.Twin<string> { A = "a", B = "b" }.Total(8);
Values.ManyLocals();
Values.Locals(21);
Console.WriteLine($"done {five}");

class Values(int start) {
  readonly int start = start;
  [MethodImpl(MethodImplOptions.NoInlining)] public static bool Numbers(bool b, char c, int i, long l, double d) => b;
  [MethodImpl(MethodImplOptions.NoInlining)] public static string Text(string a, string? b) => a + "!";
  [MethodImpl(MethodImplOptions.NoInlining)] public static int Increment(ref int value) => ++value;
  [MethodImpl(MethodImplOptions.NoInlining)] public static (int, int) Pair((int, int) pair) => (pair.Item2, pair.Item1);
  [MethodImpl(MethodImplOptions.NoInlining)] public static int Span(ReadOnlySpan<char> span) => span.Length;
  [MethodImpl(MethodImplOptions.NoInlining)] public static T Generic<T>(T value) => value;
  [MethodImpl(MethodImplOptions.NoInlining)] public static void Nothing() { }
  [MethodImpl(MethodImplOptions.NoInlining)] public int Instance(int more) => start + more;

  [MethodImpl(MethodImplOptions.NoInlining)] public static int Locals(int start) {
    int doubled = start * 2;
    string text = doubled.ToString();
    (int, int) pair = (start, start + 1);
    Change(ref doubled, ref text, ref pair);
    return text.Length;
  }
  [MethodImpl(MethodImplOptions.NoInlining)] static void Change(ref int number, ref string text, ref (int, int) pair) {
    number++;
    text += "!";
    pair.Item2++;
  }

  public struct Point {
    public int X, Y;
    [MethodImpl(MethodImplOptions.NoInlining)] public readonly int Sum() => X + Y;
  }

  public struct Twin<T> {
    public T A, B;
    [MethodImpl(MethodImplOptions.NoInlining)] public readonly int Total(int more) => more;
  }

  // More values than can be handed over: its events come without a context.
  [MethodImpl(MethodImplOptions.NoInlining)] public static int ManyLocals() {
    Guid g0 = Guid.Empty, g1 = Guid.Empty, g2 = Guid.Empty, g3 = Guid.Empty, g4 = Guid.Empty, g5 = Guid.Empty, g6 = Guid.Empty, g7 = Guid.Empty, g8 = Guid.Empty, g9 = Guid.Empty, g10 = Guid.Empty, g11 = Guid.Empty, g12 = Guid.Empty, g13 = Guid.Empty, g14 = Guid.Empty, g15 = Guid.Empty, g16 = Guid.Empty, g17 = Guid.Empty, g18 = Guid.Empty, g19 = Guid.Empty, g20 = Guid.Empty, g21 = Guid.Empty, g22 = Guid.Empty, g23 = Guid.Empty, g24 = Guid.Empty, g25 = Guid.Empty, g26 = Guid.Empty, g27 = Guid.Empty, g28 = Guid.Empty, g29 = Guid.Empty, g30 = Guid.Empty, g31 = Guid.Empty, g32 = Guid.Empty, g33 = Guid.Empty, g34 = Guid.Empty, g35 = Guid.Empty, g36 = Guid.Empty, g37 = Guid.Empty, g38 = Guid.Empty, g39 = Guid.Empty, g40 = Guid.Empty, g41 = Guid.Empty, g42 = Guid.Empty, g43 = Guid.Empty, g44 = Guid.Empty, g45 = Guid.Empty, g46 = Guid.Empty, g47 = Guid.Empty, g48 = Guid.Empty, g49 = Guid.Empty, g50 = Guid.Empty, g51 = Guid.Empty, g52 = Guid.Empty, g53 = Guid.Empty, g54 = Guid.Empty, g55 = Guid.Empty, g56 = Guid.Empty, g57 = Guid.Empty, g58 = Guid.Empty, g59 = Guid.Empty,
         g60 = Guid.Empty, g61 = Guid.Empty, g62 = Guid.Empty, g63 = Guid.Empty, g64 = Guid.Empty, g65 = Guid.Empty, g66 = Guid.Empty, g67 = Guid.Empty, g68 = Guid.Empty, g69 = Guid.Empty, g70 = Guid.Empty, g71 = Guid.Empty, g72 = Guid.Empty, g73 = Guid.Empty, g74 = Guid.Empty, g75 = Guid.Empty, g76 = Guid.Empty, g77 = Guid.Empty, g78 = Guid.Empty, g79 = Guid.Empty, g80 = Guid.Empty, g81 = Guid.Empty, g82 = Guid.Empty, g83 = Guid.Empty, g84 = Guid.Empty, g85 = Guid.Empty, g86 = Guid.Empty, g87 = Guid.Empty, g88 = Guid.Empty, g89 = Guid.Empty, g90 = Guid.Empty, g91 = Guid.Empty, g92 = Guid.Empty, g93 = Guid.Empty, g94 = Guid.Empty, g95 = Guid.Empty, g96 = Guid.Empty, g97 = Guid.Empty, g98 = Guid.Empty, g99 = Guid.Empty, g100 = Guid.Empty, g101 = Guid.Empty, g102 = Guid.Empty, g103 = Guid.Empty, g104 = Guid.Empty, g105 = Guid.Empty, g106 = Guid.Empty, g107 = Guid.Empty, g108 = Guid.Empty, g109 = Guid.Empty, g110 = Guid.Empty, g111 = Guid.Empty, g112 = Guid.Empty, g113 = Guid.Empty, g114 = Guid.Empty, g115 = Guid.Empty, g116 = Guid.Empty, g117 = Guid.Empty, g118 = Guid.Empty, g119 = Guid.Empty;
    return Touch(ref g0) ^ Touch(ref g1) ^ Touch(ref g2) ^ Touch(ref g3) ^ Touch(ref g4) ^ Touch(ref g5) ^ Touch(ref g6) ^ Touch(ref g7) ^ Touch(ref g8) ^ Touch(ref g9) ^ Touch(ref g10) ^ Touch(ref g11) ^ Touch(ref g12) ^ Touch(ref g13) ^ Touch(ref g14) ^ Touch(ref g15) ^ Touch(ref g16) ^ Touch(ref g17) ^ Touch(ref g18) ^ Touch(ref g19) ^ Touch(ref g20) ^ Touch(ref g21) ^ Touch(ref g22) ^ Touch(ref g23) ^ Touch(ref g24) ^ Touch(ref g25) ^ Touch(ref g26) ^ Touch(ref g27) ^ Touch(ref g28) ^ Touch(ref g29) ^ Touch(ref g30) ^ Touch(ref g31) ^ Touch(ref g32) ^ Touch(ref g33) ^ Touch(ref g34) ^ Touch(ref g35) ^ Touch(ref g36) ^ Touch(ref g37) ^ Touch(ref g38) ^ Touch(ref g39)
           ^ Touch(ref g40) ^ Touch(ref g41) ^ Touch(ref g42) ^ Touch(ref g43) ^ Touch(ref g44) ^ Touch(ref g45) ^ Touch(ref g46) ^ Touch(ref g47) ^ Touch(ref g48) ^ Touch(ref g49) ^ Touch(ref g50) ^ Touch(ref g51) ^ Touch(ref g52) ^ Touch(ref g53) ^ Touch(ref g54) ^ Touch(ref g55) ^ Touch(ref g56) ^ Touch(ref g57) ^ Touch(ref g58) ^ Touch(ref g59) ^ Touch(ref g60) ^ Touch(ref g61) ^ Touch(ref g62) ^ Touch(ref g63) ^ Touch(ref g64) ^ Touch(ref g65) ^ Touch(ref g66) ^ Touch(ref g67) ^ Touch(ref g68) ^ Touch(ref g69) ^ Touch(ref g70) ^ Touch(ref g71) ^ Touch(ref g72) ^ Touch(ref g73) ^ Touch(ref g74) ^ Touch(ref g75) ^ Touch(ref g76) ^ Touch(ref g77) ^ Touch(ref g78) ^ Touch(ref g79)
           ^ Touch(ref g80) ^ Touch(ref g81) ^ Touch(ref g82) ^ Touch(ref g83) ^ Touch(ref g84) ^ Touch(ref g85) ^ Touch(ref g86) ^ Touch(ref g87) ^ Touch(ref g88) ^ Touch(ref g89) ^ Touch(ref g90) ^ Touch(ref g91) ^ Touch(ref g92) ^ Touch(ref g93) ^ Touch(ref g94) ^ Touch(ref g95) ^ Touch(ref g96) ^ Touch(ref g97) ^ Touch(ref g98) ^ Touch(ref g99) ^ Touch(ref g100) ^ Touch(ref g101) ^ Touch(ref g102) ^ Touch(ref g103) ^ Touch(ref g104) ^ Touch(ref g105) ^ Touch(ref g106) ^ Touch(ref g107) ^ Touch(ref g108) ^ Touch(ref g109) ^ Touch(ref g110) ^ Touch(ref g111) ^ Touch(ref g112) ^ Touch(ref g113) ^ Touch(ref g114) ^ Touch(ref g115) ^ Touch(ref g116) ^ Touch(ref g117) ^ Touch(ref g118) ^ Touch(ref g119);
  }
  [MethodImpl(MethodImplOptions.NoInlining)] static int Touch(ref Guid guid) => guid == Guid.Empty ? 0 : 1;
}
