namespace Cases;

public abstract record Shape;
public sealed record Circle(double Radius) : Shape;
public sealed record Box(double Width, double Height) : Shape;
public record struct Point(int X, int Y);

public static class Switches
{
    public static string Day(int day)
    {
        switch (day)  // 5 ways
        {
            case 0:
                return "Sunday";
            case 1:
                return "Monday";
            case 2:
            case 3:
                return "midweek";
            case 4:
                return "Thursday";
            default:
                return "later";
        }
    }

    public static int Sparse(int value)
    {
        switch (value)  // 6 ways
        {
            case 1: return 10;
            case 1000: return 20;
            case 100000: return 30;
        }
        return 0;
    }

    public static int Word(string word)
    {
        switch (word)  // 9 ways
        {
            case "one": return 1;
            case "two": return 2;
            case "three": return 3;
            case "four": return 4;
            case "five": return 5;
            case "six": return 6;
            case "seven": return 7;
            case "eight": return 8;
            default: return 0;
        }
    }

    public static int Few(string word) => word switch  // 4 ways
    {
        "one" => 1,
        "two" => 2,
        _ => 0,
    };

    public static string Colour(ConsoleColor colour) => colour switch  // 4 ways
    {
        ConsoleColor.Red => "red",
        ConsoleColor.Green => "green",
        ConsoleColor.Blue => "blue",
        _ => throw new ArgumentOutOfRangeException(nameof(colour)),
    };

    public static double Area(Shape shape) => shape switch  // 10 ways
    {
        Circle { Radius: 0 } => 0,
        Circle circle => Math.PI * circle.Radius * circle.Radius,
        Box { Width: > 100, Height: > 100 } => double.PositiveInfinity,
        Box(var width, var height) => width * height,
        _ => throw new ArgumentException("no shape", nameof(shape)),
    };

    public static string Quadrant(Point point) => point switch  // 14 ways
    {
        (0, 0) => "origin",
        ( > 0, > 0) => "first",
        ( < 0, > 0) => "second",
        ( < 0, < 0) => "third",
        ( > 0, < 0) => "fourth",
        _ => "axis",
    };

    public static bool IsLetter(char c) => c is (>= 'a' and <= 'z') or (>= 'A' and <= 'Z');  // 8 ways

    public static string Kind(object? thing)
    {
        if (thing is string { Length: > 3 } text)  // 4 ways
            return text;
        if (thing is int number && number > 5)  // 4 ways
            return "large";
        if (thing is not null)  // 2 ways
            return "something";
        return "nothing";
    }

    public static string Of(object thing)
    {
        switch (thing)  // 6 ways
        {
            case int n when n > 10:  // 2 ways
                return "big";
            case int:
                return "int";
            case string s:
                return s;
            case null:
                return "null";
            default:
                return "other";
        }
    }

    public static int OfList(int[] list) => list switch  // 8 ways
    {
        [] => 0,
        [var one] => one,
        [1, .., var last] => last,
        _ => -1,
    };
}
