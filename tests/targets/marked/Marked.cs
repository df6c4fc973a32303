// Behind "// " stands of a line whether it counts (line, none) and, if that is asked, how many ways its conditions have.
using System.Diagnostics.CodeAnalysis;

namespace Marked;

public class LeftOut
{
    public int Counted(int value)
    {
        Func<int, int> made = Make();                          // line
        int Beside(int n) => n + 1;                            // line
        return made(value) + Count(value) + Beside(value) + After(value); // line

        [ExcludeFromCodeCoverage]
        static Func<int, int> Make()
        {
            return n =>                                        // none
                n * 2;                                         // none
        }

        [ExcludeFromCodeCoverage]
        static int Count(int n)
        {
            try
            {
                int First(int m) => m + 2;                     // none
                Func<Task<int>> late = async () =>             // none
                {
                    await Task.Yield();                        // none
                    int Deep(int m) => m + 1;                  // none
                    return Deep(n);                            // none
                };
                foreach (int one in Some())                    // none
                    if (one == 7) return late().Result;        // none
                return First(n);                               // none
            }
            finally
            {
                Console.Out.Flush();                           // none
            }

            IEnumerable<int> Some() { yield return n; }        // none
        }

        int After(int n) => n > 3 ? Last(n) : 0;               // line 2

        [ExcludeFromCodeCoverage]
        static int Last(int n) => new[] { n }.Sum(m => m + Next(m)); // none

        static int Next(int n) => "}{".Length + n;             // line
    }

    private readonly Func<int> _value = () => 3;               // line

    [ExcludeFromCodeCoverage]
    public LeftOut()
    {
        Console.Out.Flush();                                   // none
    }

    public LeftOut(int value)
    {
        Console.WriteLine(value + _value());                   // line
    }
}

public record Pair(int First, int Second);                     // line

public record Several(                                         // line
    int First,                                                 // line
    string Second)
{
    public int Third { get; set; }                             // line
}

public record struct Sized(int Width, int Height)              // line
{
    public readonly int Area => Width * Height;                // line
}

public record Begun
{
    private readonly int _value = Environment.ProcessorCount;  // line
    public int Value() => _value;                              // line
}

public record Nothing;                                         // none

public static class Awaiting
{
    public static async Task<int> Throws(Func<Task<int>> work)
    {
        try
        {
            return await work();                               // line 0
        }
        catch (InvalidOperationException)                      // line 0
        {
            await Task.Yield();                                // line 0
            throw;                                             // line
        }                                                      // none
    }

    public static async Task<int> Other(Func<Task<int>> work, int value)
    {
        int mode = 0;                                          // line
        try
        {
            await work();                                      // line 0
            mode = 1;                                          // line
        }
        catch (FormatException e)                              // line 0
        {
            await Task.Yield();                                // line 0
            if (value > 1)                                     // line 2
            {
                throw;                                         // line
            }                                                  // none
            Console.WriteLine(e);                              // line
        }
        catch (TimeoutException e)                             // line 0
        {
            await Task.Delay(value);                           // line 0
            throw new InvalidOperationException("as asked", e); // line
        }
        if (mode == 1) value++;                                // line 2
        return value;                                          // line
    }

    public static int Filtered(Func<int> work)
    {
        try
        {
            return work();                                     // line 0
        }
        catch (Exception e) when (e is TimeoutException or IOException) // line 4
        {
            return 2;                                          // line
        }
    }
}
