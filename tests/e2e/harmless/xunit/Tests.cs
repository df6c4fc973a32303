using Xunit;

[assembly: CollectionBehavior(MaxParallelThreads = 4)]

namespace Shop.Tests;

public class Facts
{
    static readonly Basket basket = new();

    [Fact]
    public void EmptyBasketCostsNothing() => Assert.Equal(0, basket.Total);

    [Fact]
    public void NothingIsRefused()
    {
        var refused = Assert.Throws<ArgumentOutOfRangeException>(() => basket.Add("apple", 1, 0));
        Assert.Equal("count", refused.ParamName);
    }

    [Fact]
    public void WrongOnPurpose() => Assert.Equal(3, new Basket { }.Total);

    [Fact(Skip = "on purpose")]
    public void Skipped() => Assert.Fail("ran");
}

public class Theories
{
    public static TheoryData<decimal[], decimal> Sums => new() { { [], 0 }, { [1.5m], 1.5m }, { [1, 2, 3], 6 } };

    [Theory]
    [InlineData(1, "1 pear")]
    [InlineData(7, "7 pear")]
    public async Task CountsAreTold(int count, string expected)
    {
        var basket = new Basket();
        basket.Add("pear", 2, count);
        Assert.Equal(expected, await basket.PayAsync(_ => Task.CompletedTask));
    }

    [Theory]
    [MemberData(nameof(Sums))]
    public void PricesAddUp(decimal[] prices, decimal total)
    {
        var basket = new Basket();
        foreach (decimal price in prices) basket.Add("thing", price);
        Assert.Equal(total, basket.Total);
    }

    [Theory]
    [InlineData(typeof(int))]
    [InlineData(typeof(List<string>))]
    public void TypesAreMade(Type type) => Assert.NotNull(Activator.CreateInstance(type));
}

public class Asynchronous : IAsyncLifetime
{
    readonly Basket basket = new();

    public async Task InitializeAsync()
    {
        await Task.Yield();
        basket.Add("plum", 0.25m, 4);
    }

    public Task DisposeAsync() => Task.CompletedTask;

    [Fact]
    public async Task PaysLater()
    {
        decimal paid = 0;
        Assert.Equal("4 plum", await basket.PayAsync(async total =>
        {
            await Task.Delay(5);
            paid = total;
        }));
        Assert.Equal(1, paid);
    }

    [Fact]
    public async Task EmptyBasketIsNotPaid() =>
        await Assert.ThrowsAsync<EmptyBasketException>(() => new Basket().PayAsync(_ => Task.CompletedTask));

    [Fact]
    public async Task FailureOfThePaymentIsThatOfTheBasket()
    {
        var thrown = await Assert.ThrowsAsync<TimeoutException>(() => basket.PayAsync(async _ =>
        {
            await Task.Yield();
            throw new TimeoutException("late");
        }));
        Assert.Equal("late", thrown.Message);
    }
}
