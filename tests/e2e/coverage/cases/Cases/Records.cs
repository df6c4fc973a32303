namespace Cases;

public record Person(string Name, int Age)
{
    public string Greeting => $"Hello, {Name}";
    public bool IsAdult
    {
        get
        {
            return Age >= 18;
        }
    }
}

public record class Empty;

public class Counter
{
    private static readonly int Start = Environment.ProcessorCount > 0 ? 1 : 2;  // 2 ways
    private int count = Start;
    public int Plain { get; set; } = 5;
    public required string Label { get; init; }
    public int Next() => count++;
    public int this[int index] => index > 0 ? count : 0;  // 2 ways

    static Counter()
    {
        Console.Out.Flush();
    }

    ~Counter()
    {
        count = 0;
    }
}

public enum Colours { Red, Green }
