namespace Shop;

// A method for each thing that a test does, so that what a test ran can be told by names.
public sealed class Cart : IDisposable
{
    public static int Opened;
    public Cart() => Opened++;
    public void Dispose() => Opened--;

    public static int Fact() => Shared(1);
    public static int Case(int value) => value > 1 ? More(value) : value;
    private static int More(int value) => value * 2;
    public static void Throws() => throw new InvalidOperationException("as asked");
    public static int Base() => 5;
    public static int Slow() => 6;
    public static int Shared(int value) => value;
    public static void Prepared() => Opened = 0;
    public static void Cleared() => Opened = 0;
    public static void Doomed() => Opened = 0;
    public static int NeverInATest() => 7;

    public static async Task<int> Later()
    {
        int sum = 1;
        await Task.Delay(20);
        sum += Shared(2);
        await Task.Yield();
        return sum;
    }

    public static class InNUnit
    {
        public static void Prepared() => Opened = 0;
        public static int Test() => 1;
        public static int Case(int value) => value;
        public static async Task<int> Later() { await Task.Delay(5); return 1; }
    }

    public static class InMSTest
    {
        public static void Prepared() => Opened = 0;
        public static int Test() => 1;
        public static int Row(int value) => value;
    }
}

public sealed class Stock
{
    public Stock() => Filled = true;
    public bool Filled { get; }
}
