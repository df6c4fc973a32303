namespace Cases;

public static class Functions
{
    public static int Outer(int value)
    {
        int Doubled(int n)
        {
            if (n > 10)  // 2 ways
                return 20;
            return n * 2;
        }

        int Unused(int n) => n + 1;

        return Doubled(value) + (value < 0 ? Unused(value) : 0);  // 2 ways
    }

    public static List<int> Filtered(IEnumerable<int> values, int least)
    {
        return values
            .Where(value => value >= least)
            .Select(value => value == 5 ? 50 : value)  // 2 ways
            .OrderBy(value =>
            {
                if (value > 40)  // 2 ways
                    return 0;
                return value;
            })
            .ToList();
    }

    public static Func<int> Counter()
    {
        int count = 0;
        return () => ++count;
    }

    public static Action Handler { get; } = () => Console.Out.Flush();

    public static event Action? Happened;

    public static void Raise() => Happened?.Invoke();  // 2 ways
}
