// Built as for debugging: the compiler optimizes none of it.
long sum = 0;
for (var start = Environment.TickCount64; Environment.TickCount64 - start < 1000;) sum += Sums.Squares();
Console.WriteLine(sum >= 0 ? "done" : "");

static class Sums
{
    public static long Squares()
    {
        long sum = 0;
        for (int i = 0; i < 100_000; i++) sum += (long)i * i % 7;
        return sum;
    }
}
