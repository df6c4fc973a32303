namespace Cases;

public static class Async
{
    public static async Task<int> Twice(int value)
    {
        await Task.Yield();
        int twice = value * 2;
        if (twice > 100)  // 2 ways
        {
            await Task.Delay(1);
            return 100;
        }
        return twice;
    }

    public static async Task<string> Guarded(bool fails)
    {
        try
        {
            await Task.Delay(1);
            if (fails) throw new InvalidOperationException("as told");  // 2 ways
            return "fine";
        }
        catch (InvalidOperationException error) when (error.Message == "as told")
        {
            await Task.Delay(1);
            return "failed";
        }
        finally
        {
            await Task.Yield();
        }
    }

    public static async IAsyncEnumerable<int> Numbers(int count)
    {
        for (int i = 0; i < count; i++)  // 2 ways
        {
            await Task.Yield();
            if (i == 3)  // 2 ways
                yield break;
            yield return i;
        }
    }

    public static async Task<int> Total(int count)
    {
        int sum = 0;
        await foreach (int number in Numbers(count))  // 2 ways
        {
            sum += number;
        }
        return sum;
    }

    public static async ValueTask<int> Value(Task<int>? task)
    {
        return await (task ?? Task.FromResult(7)).ConfigureAwait(false);  // 2 ways
    }

    public static async Task Using()
    {
        await using var stream = new MemoryStream();
        await stream.WriteAsync(new byte[] { 1, 2 });
        using (var other = new MemoryStream())
        {
            await other.WriteAsync(new byte[] { 1 });
        }
    }

    public static async Task NeverAwaited()
    {
        await Task.Delay(1);
        Console.WriteLine("never");
    }

    public static async Task<int> Lambda()
    {
        Func<int, Task<int>> add = async n =>
        {
            await Task.Yield();
            return n > 0 ? n + 1 : 0;  // 2 ways
        };
        return await add(1) + await Local(2);

        async Task<int> Local(int n)
        {
            await Task.Yield();
            if (n < 0)  // 2 ways
                return -1;
            return n;
        }
    }
}
