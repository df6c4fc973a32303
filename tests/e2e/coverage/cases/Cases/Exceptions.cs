namespace Cases;

public sealed class Gate : IDisposable
{
    public void Dispose() => Console.Out.Flush();
}

public static class Exceptions
{
    public static int Middle(int[] values, int index)
    {
        int before = values.Length;
        int value = values[index];
        int after = value + before;
        return after;
    }

    public static int Caught(string text)
    {
        try
        {
            int value = int.Parse(text);
            return value;
        }
        catch (FormatException)
        {
            return -1;
        }
        catch (OverflowException) when (text.Length > 20)
        {
            return -2;
        }
        finally
        {
            Console.Out.Flush();
        }
    }

    public static int Used(bool fails)
    {
        using var gate = new Gate();
        lock (gate)
        {
            if (fails)  // 2 ways
                throw new InvalidOperationException();
        }
        using (var other = new Gate())
        {
            return 1;
        }
    }

    public static void Throws(string? argument)
    {
        ArgumentNullException.ThrowIfNull(argument);
        _ = argument ?? throw new ArgumentNullException(nameof(argument));  // 2 ways
        Console.Out.Flush();
    }

    public static int Chain(Person? person)
    {
        return person?.Name?.Length ?? -1;  // 4 ways
    }

    public static void Exits(int code)
    {
        Checked(code);
        Console.Out.Flush();
    }

    private static void Checked(int code)
    {
        if (code != 0)  // 2 ways
            throw new ArgumentException("no");
    }
}
