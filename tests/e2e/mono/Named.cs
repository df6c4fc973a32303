// Methods and classes with names of all forms, in one file that runs on Mono and on CoreCLR (names_test.py).
using System;
using System.Collections.Generic;
using System.Reflection.Emit;
using System.Runtime.CompilerServices;

namespace My.Ns {
  interface IFoo<T> {
    T Get();
  }

  class Foo : IFoo<int>, IDisposable {
    [MethodImpl(MethodImplOptions.NoInlining)]
    int IFoo<int>.Get() { return 1; }
    [MethodImpl(MethodImplOptions.NoInlining)]
    void IDisposable.Dispose() { }
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int operator +(Foo a, int b) { return b + 1; }
    public int Value {
      [MethodImpl(MethodImplOptions.NoInlining)]
      get;
      set;
    }
  }

  class Outer {
    public class Inner {
      [MethodImpl(MethodImplOptions.NoInlining)]
      public static int Of(Inner[] many, Inner one) { return many.Length; }
    }
    public struct Pair<TA, TB> {
      public TA A;
      public TB B;
      [MethodImpl(MethodImplOptions.NoInlining)]
      public int Both(TA a, Dictionary<TA, TB>.KeyCollection keys) { return 2; }
    }
  }

  class Box<T> {
    [MethodImpl(MethodImplOptions.NoInlining)]
    public int Put(T one, T[] many, T[,] table) { return 3; }
    [MethodImpl(MethodImplOptions.NoInlining)]
    public int Turn<U>(U other, List<T> list) { return 4; }
  }

  static unsafe class Given {
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Refs(ref int a, out string b, ref List<int>[] c) {
      b = "";
      return a;
    }
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Whole(sbyte c, byte d, short e, ushort f, int g, uint h, long i, ulong j, IntPtr o, UIntPtr p) {
      return 1;
    }
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Plain(bool a, char b, float k, double l, decimal q, string m, object n) { return 1; }
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Types(int? a, DayOfWeek b, int[][] c, int[,] d, Dictionary<string, int[]> e, Outer.Pair<int, long> f) {
      return 1;
    }
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Pointers(int* a, void* b, Outer.Inner c) { return 1; }
  }

  static class Program {
    delegate int Dynamic(ref int a, List<int> b);

    [MethodImpl(MethodImplOptions.NoInlining)]
    static IEnumerable<int> It(int n) {
      try {
        for (int i = 0; i < n; i++) yield return i;
      } finally {
        n = 0;
      }
    }

    static int Run(Func<int, int> it) { return it(3); }

    static unsafe int CallAll(int kept) {
      int sum = 0, a = 0;
      string b;
      var c = new List<int>[1];
      foreach (int i in It(3)) sum += i;
      var foo = new Foo();
      ((IDisposable)foo).Dispose();
      sum += ((IFoo<int>)foo).Get() + (foo + 3) + foo.Value;
      sum += Run(x => x + 1) + Run(x => x + kept);
      sum += Outer.Inner.Of(new Outer.Inner[2], new Outer.Inner()) + new Outer.Pair<int, long>().Both(1, null);
      sum += new Box<int>().Put(1, new int[1], new int[1, 1]) + new Box<int>().Turn<long>(1, new List<int>());
      sum += Given.Refs(ref a, out b, ref c) + Given.Whole(1, 1, 1, 1, 1, 1, 1, 1, IntPtr.Zero, UIntPtr.Zero);
      sum += Given.Plain(false, 'a', 1, 1, 1, "", null);
      sum += Given.Types(1, DayOfWeek.Monday, null, null, null, new Outer.Pair<int, long>()) + Given.Pointers(&a, null, null);
      return sum;
    }

    static int CallDynamic() {
      var made = new DynamicMethod("dyn0", typeof(int), new[] { typeof(int).MakeByRefType(), typeof(List<int>) },
                                   typeof(Program).Module);
      ILGenerator il = made.GetILGenerator();
      il.Emit(OpCodes.Ldc_I4_7);
      il.Emit(OpCodes.Ret);
      int a = 0;
      return ((Dynamic)made.CreateDelegate(typeof(Dynamic)))(ref a, null);
    }

    static object[] Allocate() {
      return new object[] {
        12, new object(), new char[3], new string[2], new int[2][], new int[2, 2], new List<int>(), new List<int>[2],
        new Outer.Inner(), new Outer.Inner[2], new Dictionary<int, Foo>[1], new Outer.Pair<int, long>(), DayOfWeek.Monday,
      };
    }

    static int Main() {
      int sum = CallAll(4) + CallDynamic();
      Console.WriteLine("sum " + (sum + Allocate().Length));
      return 0;
    }
  }
}
