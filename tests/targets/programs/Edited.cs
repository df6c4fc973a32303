// What tests of modules change by instructions (tests/e2e/modules/coder.cc and examples/).
using System.Runtime.CompilerServices;

static class Edited
{
    [MethodImpl(MethodImplOptions.NoInlining)] static bool IsNew() => false;
    [MethodImpl(MethodImplOptions.NoInlining)] static string Name(int number) => "old" + number;
    [MethodImpl(MethodImplOptions.NoInlining)] static double Share(string? of, long all) => of is null ? 0 : of.Length / (double)all;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static long Count(string text)
    {
        try { return long.Parse(text); }
        catch (FormatException) { return -1; }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Picks(int number)
    {
        switch (number) { case 0: return 10; case 1: return 20; case 2: return 30; }
        for (int i = 0; i < number; ++i) if (i == 5) throw new InvalidOperationException();
        return number;
    }

    [MethodImpl(MethodImplOptions.NoInlining)] static byte Few() => 1;
    [MethodImpl(MethodImplOptions.NoInlining)] static char Letter() => 'a';
    [MethodImpl(MethodImplOptions.NoInlining)] static uint Many() => 2;
    [MethodImpl(MethodImplOptions.NoInlining)] static ulong More() => 3;

    static int Small(int number) => number + 1;
    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    static int CallsSmall(int number) => Small(number) * 2;
    static int Between(int number) => Small(number) + 1;
    [MethodImpl(MethodImplOptions.AggressiveOptimization | MethodImplOptions.NoInlining)]
    static int CallsBetween(int number) => Between(number) * 2;

    public static void Run()
    {
        Console.WriteLine($"{IsNew()} {Name(3)} {Share("four", 8)} {Share(null, 8)} {Count("12")} {Count("x")}");
        Console.WriteLine($"{Picks(0)} {Picks(1)} {Picks(4)} {CallsSmall(1)} {CallsBetween(1)}");
        Console.WriteLine($"{Few()} {(int)Letter()} {Many()} {More()}");
        try { Picks(9); } catch (InvalidOperationException) { Console.WriteLine("caught"); }
    }
}
