using Xunit;

namespace Orchard.Tests;

public class Shelves
{
    [Theory]
    [InlineData(0, "nothing")]
    [InlineData(250, "250 g")]
    [InlineData(3000, "3 kg")]
    public void WeightsAreTold(int grams, string told) => Assert.Equal(told, new Weight(grams).ToString());

    [Fact]
    public void ThingsStandInOrder()
    {
        var shelf = new Shelf<Weight>();
        var heard = 0;
        shelf.Added += weight => heard += weight.Grams;
        foreach (var grams in new[] { 5, 1, 4, 1 }) shelf.Add(new Weight(grams));
        Assert.Equal(11, heard);
        Assert.Equal(11, shelf.Folded(new Weight(0), (sum, weight) => sum + weight).Grams);
        Assert.Equal([0, 3, 1], shelf.Pairs().Select(pair => (pair.Second - pair.First).Grams));
        Assert.Throws<ArgumentException>(() => shelf[0] - shelf[3]);
        Assert.False(((IShelf<Weight>)shelf).IsEmpty);
    }

    [Fact]
    public void NamesToo()
    {
        var shelf = new Shelf<string>();
        foreach (var name in "pear plum apple".Split(' ')) shelf.Add(name);
        Assert.Equal("apple", shelf[0]);
        Assert.Equal(3, shelf.Count);
        Assert.Equal(13, shelf.Folded(0, (sum, name) => sum + name.Length));
    }

    [Fact]
    public void RipePearsCostMore()
    {
        Fruit[] fruits = [new Apple(new(100)), new Pear(new(100), true)];
        Assert.Equal([0.4m, 0.8m], fruits.Select(fruit => fruit.Price));
        Assert.NotEqual(fruits[0], new Apple(new(101)));
    }
}

public class Presses
{
    [Theory]
    [InlineData("apple", 3, 33)]
    [InlineData("pear", 5, 33)]
    [InlineData("", 2, 0)]
    public void EachWayOut(string what, int rounds, int juice) => Assert.Equal(juice, Press.Pressed(what, rounds));

    [Fact]
    public void ExceptionsGoThrough()
    {
        Assert.Throws<OverflowException>(() => Press.Pressed("quince", 3));
        Assert.Equal("stone is rotten", Assert.Throws<RottenException>(() => Press.Pressed("stone", 1)).Message);
    }

    [Fact]
    public void BytesAddUp() => Assert.Equal(15, Press.Sum([1, 2, 3, 4, 5]));

    [Fact]
    public void LoopsAreGround() => Assert.Equal(-87500, Press.Ground(300_000));

    [Fact]
    public void ManyAtOnce()
    {
        var sums = new int[64];
        Parallel.For(0, sums.Length, i => sums[i] = Press.Pressed("apple", i));
        Assert.Equal(Enumerable.Range(0, 64).Select(i => i * 11), sums);
    }
}

public class Carriers : IAsyncLifetime
{
    readonly Carrier carrier = new();

    public Task InitializeAsync() => Task.CompletedTask;
    public async Task DisposeAsync() => await carrier.DisposeAsync();

    [Fact]
    public async Task AllIsCarried()
    {
        var fruits = Enumerable.Range(1, 20).Select(i => new Apple(new(i)));
        Assert.Equal(210, await carrier.CarryAsync(fruits));
    }

    [Fact]
    public async Task FailuresAreTold()
    {
        Assert.Equal("got 7", await carrier.TriedAsync(() => Task.FromResult(7)));
        Assert.Equal("failed: late", await carrier.TriedAsync(async () =>
        {
            await Task.Yield();
            throw new TimeoutException("late");
        }));
    }

    [Fact]
    public void WrongOnPurpose() => Assert.True(carrier.Stopped, "it goes on");
}
