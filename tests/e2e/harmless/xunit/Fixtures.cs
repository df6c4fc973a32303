using Xunit;

namespace Shop.Tests;

public sealed class Stock : IDisposable
{
    public int Users;
    public bool Disposed;

    public void Dispose() => Disposed = true;
}

public class WithFixture(Stock stock) : IClassFixture<Stock>
{
    [Theory]
    [InlineData(1)]
    [InlineData(2)]
    [InlineData(3)]
    public void FixtureIsShared(int most)
    {
        Assert.False(stock.Disposed);
        Assert.InRange(++stock.Users, 1, 3);
        Assert.InRange(most, 1, 3);
    }
}

// Two classes that are run in parallel: neither ends before the other has begun.
static class Meeting
{
    static readonly TaskCompletionSource first = new(), second = new();

    public static Task First() => Meet(first, second);
    public static Task Second() => Meet(second, first);

    static async Task Meet(TaskCompletionSource own, TaskCompletionSource other)
    {
        own.SetResult();
        await other.Task.WaitAsync(TimeSpan.FromMinutes(1));
    }
}

[CollectionDefinition("left")]
public class LeftCollection : ICollectionFixture<Stock>;

[Collection("left")]
public class Left(Stock stock)
{
    [Fact]
    public async Task Meets()
    {
        await Meeting.First();
        Assert.Equal(0, stock.Users);
    }
}

[Collection("right")]
public class Right
{
    [Fact]
    public Task Meets() => Meeting.Second();

    [Theory]
    [InlineData(100)]
    [InlineData(1000)]
    public void ManyAtOnce(int number)
    {
        var baskets = new Basket[number];
        Parallel.For(0, number, i => (baskets[i] = new Basket()).Add("nut", i));
        Assert.Equal(number * (number - 1) / 2, baskets.Sum(basket => basket.Total));
    }
}
