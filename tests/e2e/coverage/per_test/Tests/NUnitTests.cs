using NUnit.Framework;
using Shop;
using Assert = NUnit.Framework.Assert;

namespace Tests.OfNUnit;

public sealed class Carts
{
    [SetUp]
    public void Prepare() => Cart.InNUnit.Prepared();

    [Test]
    public void Counts() => Assert.That(Cart.InNUnit.Test(), Is.EqualTo(1));

    [TestCase(1)]
    [TestCase(2)]
    public void Cases(int value) => Assert.That(Cart.InNUnit.Case(value), Is.EqualTo(value));

    [Test]
    public async Task Waits() => Assert.That(await Cart.InNUnit.Later(), Is.EqualTo(1));
}
