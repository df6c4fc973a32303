namespace Orchard;

public class RottenException(string what) : Exception(what + " is rotten");

public static class Press
{
    public static List<string> Steps { get; } = [];

    // Each way out of a method, through clauses in one another.
    public static int Pressed(string what, int rounds)
    {
        var juice = 0;
        for (var round = 0; ; ++round)
        {
            try
            {
                if (round == rounds) return juice;
                if (what.Length == 0) continue;
                try
                {
                    juice += Squeezed(what, round);
                }
                catch (RottenException e) when (e.Message.StartsWith("pear"))
                {
                    juice -= 1;
                    break;
                }
                finally
                {
                    juice += 10;
                }
            }
            catch (OverflowException)
            {
                juice = int.MaxValue;
                throw;
            }
            finally
            {
                lock (Steps) Steps.Add($"{what} {round}");
            }
        }
        return juice;
    }

    static int Squeezed(string what, int round)
    {
        switch (what)
        {
            case "apple":
                return 1;
            case "pear":
                return round < 2 ? 2 : throw new RottenException(what);
            case "quince":
                checked
                {
                    return int.MaxValue + round;
                }
            case "medlar":
                return 4;
            case "plum":
            case "sloe":
                return 5;
            default:
                throw new RottenException(what);
        }
    }

    public static unsafe int Sum(ReadOnlySpan<byte> bytes)
    {
        Span<int> parts = stackalloc int[4];
        fixed (byte* first = bytes)
            for (var i = 0; i < bytes.Length; ++i)
                parts[i & 3] += first[i];
        ref var sum = ref parts[0];
        for (var i = 1; i < parts.Length; ++i) sum += parts[i];
        return sum;
    }

    // Long enough to be compiled anew while it runs.
    public static long Ground(int rounds)
    {
        long sum = 0;
        for (var i = 0; i < rounds; ++i)
        {
            sum += Grain(i);
            if (i % 100_000 == 99_999) sum = -sum;
        }
        return sum;
    }

    static int Grain(int i) => (i & 7) switch { 0 => 1, 1 => 0, 2 => -1, 3 => i & 1, 4 or 5 => 2, _ => i % 3 };

    public static void NeverCalled()
    {
        Console.WriteLine("nobody");
        foreach (var step in Steps) Console.WriteLine(step);
    }
}

public class Carrier : IAsyncDisposable
{
    int carried;
    public bool Stopped { get; private set; }

    public async Task<int> CarryAsync(IEnumerable<Fruit> fruits, CancellationToken stop = default)
    {
        await foreach (var weight in WeightsAsync(fruits).WithCancellation(stop).ConfigureAwait(false))
        {
            stop.ThrowIfCancellationRequested();
            carried = Added(carried);
            int Added(int before) => before + weight.Grams;
        }
        return carried;
    }

    static async IAsyncEnumerable<Weight> WeightsAsync(IEnumerable<Fruit> fruits)
    {
        try
        {
            foreach (var fruit in fruits)
            {
                if (fruit.Weight.Grams < 0) yield break;
                await Task.Yield();
                yield return fruit.Weight;
            }
        }
        finally
        {
            await Task.Delay(1);
        }
    }

    public async ValueTask<string> TriedAsync(Func<Task<int>> work)
    {
        try
        {
            return $"got {await work()}";
        }
        catch (Exception e) when (e is not RottenException)
        {
            await Task.Yield();
            return $"failed: {e.Message}";
        }
        finally
        {
            carried = 0;
        }
    }

    public ValueTask DisposeAsync()
    {
        Stopped = true;
        return default;
    }
}
