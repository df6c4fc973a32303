using Shop;
using Xunit;
using Assert = Xunit.Assert;

namespace Tests.OfXunit;

[AttributeUsage(AttributeTargets.Method)]
public sealed class SlowFactAttribute : FactAttribute { }

public abstract class Inherited
{
    [Fact]
    public void IsInherited() => Assert.Equal(5, Cart.Base());
}

public sealed class Carts : Inherited, IDisposable
{
    private readonly Cart _cart = new();

    public void Dispose()
    {
        Cart.Cleared();
        _cart.Dispose();
    }

    [Fact]
    public void Counts() => Assert.Equal(1, Cart.Fact());

    [Theory]
    [InlineData(1, 1)]
    [InlineData(2, 4)]
    [InlineData(3, 6)]
    public void Cases(int value, int twice) => Assert.Equal(twice, Cart.Case(value));

    [Fact]
    public async Task Waits() => Assert.Equal(3, await Cart.Later());

    [Fact]
    public void Throws() => Assert.Throws<InvalidOperationException>(Cart.Throws);

    [SlowFact]
    public void IsSlow() => Assert.Equal(6, Cart.Slow());
}

public sealed class Picks
{
    private static async Task All(int which)
    {
        Pick.Of(which);
        Pick.Checked(which);
        if (which == 2)
            Assert.Throws<InvalidOperationException>(() => Pick.Through(which));
        else
            Pick.Through(which);
        Pick.Filtered(which);
        await Pick.Later(which);
        Pick.Word(which);
    }

    [Fact]
    public Task First() => All(1);

    [Fact]
    public Task Second() => All(2);
}

public sealed class Deadly
{
    [Fact]
    public void Kills()
    {
        Cart.Doomed();
        if (Environment.GetEnvironmentVariable("SHOP_KILL") == "1") Environment.FailFast("as asked");
    }
}

public sealed class Stocked
{
    public Stock Stock { get; } = new();
}

public sealed class WithStock(Stocked stocked) : IClassFixture<Stocked>
{
    [Fact]
    public void IsFilled() => Assert.True(stocked.Stock.Filled);
}
