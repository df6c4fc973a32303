using Microsoft.VisualStudio.TestTools.UnitTesting;
using Shop;

namespace Tests.OfMSTest;

[TestClass]
public sealed class Carts
{
    [TestInitialize]
    public void Prepare() => Cart.InMSTest.Prepared();

    [TestMethod]
    public void Counts() => Assert.AreEqual(1, Cart.InMSTest.Test());

    [TestMethod]
    [DataRow(1)]
    [DataRow(2)]
    public void Rows(int value) => Assert.AreEqual(value, Cart.InMSTest.Row(value));
}
