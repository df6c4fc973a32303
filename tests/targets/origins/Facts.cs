// What tests look like in an assembly, with attributes named as those of frameworks for tests.
namespace Xunit
{
    public class FactAttribute : System.Attribute { }
    public class TheoryAttribute : FactAttribute { }
    public interface IClassFixture<TFixture> { }
}

namespace NUnit.Framework
{
    public class SetUpAttribute : System.Attribute { }
    public class TestCaseAttribute<T> : TestAttribute { }
    public class TestAttribute : System.Attribute { }
}

namespace Facts
{
    public class SlowAttribute : Xunit.TheoryAttribute { }
    public class OtherAttribute : System.Attribute { }
    public class Shelf { public Shelf() { } }

    public class OfXunit : Xunit.IClassFixture<Shelf>
    {
        static OfXunit() { }
        public OfXunit() { }
        [Xunit.Fact] public void Fact() { }
        [Slow] public void Slow() { }
        [Other] public void Other() { }
        public void None() { }
        [Xunit.Fact] public async System.Threading.Tasks.Task Waits() => await System.Threading.Tasks.Task.Yield();
        public class Nested { [Xunit.Fact] public void Inner() { } }
    }

    public class OfNUnit
    {
        [NUnit.Framework.SetUp] public void Prepare() { }
        [NUnit.Framework.TestCase<int>] public void Case() { }
    }
}
