// Methods for plug-ins to look at and to change; each prints what it came to.
using System.Runtime.CompilerServices;

namespace Plugged;

public static class Program
{
    public static void Main()
    {
        Console.WriteLine($"Straight {Subjects.Straight(3, 4)}");
        Console.WriteLine($"Loop {Subjects.Loop(10)}");
        Console.WriteLine($"Switched {Subjects.Switched(0)} {Subjects.Switched(1)} {Subjects.Switched(2)} {Subjects.Switched(9)}");
        Console.WriteLine($"Guarded {Subjects.Guarded(0)} {Subjects.Guarded(5)}");
        Console.WriteLine($"Filtered {Subjects.Filtered(0)} {Subjects.Filtered(1)}");
        Console.WriteLine($"ManyReturns {Subjects.ManyReturns(-1)} {Subjects.ManyReturns(0)} {Subjects.ManyReturns(1)}");
        Subjects.ReturnsNothing(7);
        Console.WriteLine($"Locals {Subjects.Locals(5)}");
        Console.WriteLine($"Operands {Subjects.Operands(2)}");
        Console.WriteLine($"Replaced {Subjects.Replaced(1)}");
        Console.WriteLine($"Emptied {Subjects.Emptied(1)}");
        Console.WriteLine($"Refused {Subjects.Refused(1)}");
        Console.WriteLine($"Failed {Subjects.Failed(1)}");
        Console.WriteLine($"Again {Subjects.Again(1)}");
        Console.WriteLine($"Calls {Subjects.Calls("oriel")}");
        var box = new Box<string>("held");
        Console.WriteLine($"Generic {box.Held} {Box<string>.Choose(1, "b", 'c')} {box}");
        Console.WriteLine($"Signatures {Subjects.Signatures(1, new long[2, 3], ref box, typeof(Box<int>), [])}");
        Console.WriteLine($"Again {Subjects.Again(2)}");
        Console.WriteLine($"Thrown {Subjects.Thrown()}");
    }
}

public class Box<T>
{
    static readonly int s_made = 40;
    T _held;
    public Box(T held) => _held = held;
    public T Held
    {
        [MethodImpl(MethodImplOptions.NoInlining)] get => _held;
        [MethodImpl(MethodImplOptions.NoInlining)] set => _held = value;
    }
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static U Choose<U, V>(int which, U one, V other) => which == 1 || other is null ? one : default!;
    public override string ToString() => $"box {s_made + 2}";
    ~Box() => _held = default!;
}

static class Subjects
{
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Straight(int a, int b) => a * 10 + b;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Loop(int count)
    {
        int sum = 0;
        for (int i = 0; i < count; i++)
            if (i % 3 != 0) sum += i;
        return sum;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string Switched(int which) => which switch
    {
        0 => "zero",
        1 => "one",
        2 => "two",
        3 => "three",
        _ => "many",
    };

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Guarded(int by)
    {
        int found = 100;
        try
        {
            try { found /= by; }
            finally { found++; }
        }
        catch (DivideByZeroException)
        {
            found = -found;
        }
        return found;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string Filtered(int which)
    {
        try
        {
            throw new InvalidOperationException(which.ToString());
        }
        catch (InvalidOperationException e) when (e.Message == "0")
        {
            return "nought";
        }
        catch (Exception e)
        {
            return e.Message;
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string ManyReturns(int of)
    {
        if (of < 0) return "below";
        if (of > 0) return "above";
        return "nought";
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static void ReturnsNothing(int of)
    {
        if (of < 0) return;
        if (of > 100) { Console.WriteLine("much"); return; }
        Console.WriteLine("little");
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static long Locals(int of)
    {
        long a = of;
        string b = of.ToString();
        Span<int> c = [of, of + 1];
        c[1] += b.Length;
        return a + c[0] + c[1];
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static double Operands(int of) => of + 1000 + 100_000_000_000L + 1.5f + 2.25 + (of > 1 ? 77 : 88);

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Replaced(int of)
    {
        try { return of + 1; }
        catch (OverflowException) { return 0; }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Emptied(int of) => of + 2;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Refused(int of) => of + 3;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Failed(int of) => of + 4;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Again(int of) => of + 5;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static string Thrown()
    {
        try { Inner(); }
        catch (InvalidOperationException e) when (e.Message.Length > 0) { return e.Message; }
        return "";
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Inner()
    {
        try { throw new InvalidOperationException("thrown"); }
        finally { Console.WriteLine("finally"); }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Calls(string text) => Inlined(text.Length) + Inlined(2);

    static int Inlined(int of) => of + 6;

    [MethodImpl(MethodImplOptions.NoInlining)]
    public static unsafe string Signatures(byte a, long[,] b, ref Box<string> c, Type d, List<Dictionary<int, string[]>> e)
    {
        int* pointer = stackalloc int[2];
        pointer[0] = a;
        delegate*<int, int> function = &Emptied;
        return $"{pointer[0]} {b.Length} {c.Held} {d.Name} {e.Count} {function(1)}";
    }
}
