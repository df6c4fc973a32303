namespace Cases;

public static class Conditions
{
    public static string Sign(int value)
    {
        if (value < 0)  // 2 ways
        {
            return "negative";
        }
        else if (value == 0)  // 2 ways
        {
            return "zero";
        }
        return "positive";
    }

    public static bool Both(bool first, bool second) => first && second;

    public static bool Either(bool first, bool second)
    {
        return first || second;
    }

    public static string Named(string? name) => name ?? "nobody";  // 2 ways

    public static int? Length(string? text) => text?.Length;  // 2 ways

    public static string Chosen(bool wanted) => wanted ? "yes" : "no";  // 2 ways

    public static int Sum(int count)
    {
        int sum = 0;
        for (int i = 0; i < count; i++)  // 2 ways
        {
            if (i % 2 == 0) continue;  // 2 ways
            sum += i;
        }
        while (sum > 100)  // 2 ways
        {
            sum -= 10;
        }
        do sum++; while (sum < 0);  // 2 ways
        return sum;
    }

    public static int Each(IEnumerable<int> values)
    {
        int sum = 0;
        foreach (int value in values)  // 2 ways
            sum += value;
        foreach (int value in new[] { 1, 2, 3 })  // 2 ways
        {
            sum += value;
        }
        return sum;
    }

    public static void Assigned(ref string? text)
    {
        text ??= "set";  // 2 ways
    }

    public static int Neither(int value)
    {
        if (value > 1 && (value < 10 || value == 20) && value != 5) return 1;  // 8 ways
        return 0;
    }

    public static void Never()
    {
        Console.WriteLine("never");
        if (Console.In == null)  // 2 ways
            Console.WriteLine("not even this");
    }
}
