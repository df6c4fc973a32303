using Cases;
using Xunit;

namespace Tests;

public class CSharp
{
    [Fact]
    public void Conditions_()
    {
        Assert.Equal("negative", Conditions.Sign(-1));
        Assert.Equal("positive", Conditions.Sign(1));
        Assert.False(Conditions.Both(true, false));
        Assert.True(Conditions.Either(true, false));
        Assert.Equal("nobody", Conditions.Named(null));
        Assert.Equal(2, Conditions.Length("ab"));
        Assert.Equal("yes", Conditions.Chosen(true));
        Assert.Equal(5, Conditions.Sum(4));
        Assert.Equal(9, Conditions.Each([1, 2]));
        string? text = null;
        Conditions.Assigned(ref text);
        Assert.Equal(1, Conditions.Neither(7));
        Assert.Equal(0, Conditions.Neither(0));
    }

    [Fact]
    public void Switches_()
    {
        Assert.Equal("Monday", Switches.Day(1));
        Assert.Equal("midweek", Switches.Day(3));
        Assert.Equal("later", Switches.Day(9));
        Assert.Equal(20, Switches.Sparse(1000));
        Assert.Equal(3, Switches.Word("three"));
        Assert.Equal(0, Switches.Word("nine"));
        Assert.Equal(2, Switches.Few("two"));
        Assert.Equal("red", Switches.Colour(ConsoleColor.Red));
        Assert.Throws<ArgumentOutOfRangeException>(() => Switches.Colour(ConsoleColor.Black));
        Assert.Equal(6, Switches.Area(new Box(2, 3)));
        Assert.Equal(0, Switches.Area(new Circle(0)));
        Assert.Equal("first", Switches.Quadrant(new Point(1, 1)));
        Assert.Equal("axis", Switches.Quadrant(new Point(0, 1)));
        Assert.True(Switches.IsLetter('b'));
        Assert.Equal("text", Switches.Kind("text"));
        Assert.Equal("nothing", Switches.Kind(null));
        Assert.Equal("int", Switches.Of(5));
        Assert.Equal("s", Switches.Of("s"));
        Assert.Equal(4, Switches.OfList([1, 2, 4]));
    }

    [Fact]
    public async Task Async_()
    {
        Assert.Equal(4, await Async.Twice(2));
        Assert.Equal("failed", await Async.Guarded(true));
        Assert.Equal(3, await Async.Total(5));
        Assert.Equal(7, await Async.Value(null));
        await Async.Using();
        Assert.Equal(4, await Async.Lambda());
    }

    [Fact]
    public void Iterators_()
    {
        Assert.Equal([1, 2], new Tree(2, new Tree(1)).InOrder());
        Assert.Equal([0, 1], Tree.Upto(2));
        Tree.Untaken();
    }

    [Fact]
    public void Functions_()
    {
        Assert.Equal(4, Functions.Outer(2));
        Assert.Equal([3, 4], Functions.Filtered([1, 3, 4], 2));
        Assert.Equal(1, Functions.Counter()());
        Functions.Raise();
    }

    [Fact]
    public void Generics_()
    {
        var cell = new Cell<int> { Value = 4 };
        Assert.True(cell.Larger(3));
        Assert.Equal("x", new Cell<string>().Mapped(value => value, "x"));
        Assert.Equal("int", Cell<int>.Inner.Name<int>());
        Assert.Equal(14, ((IWithDefault)new Seven()).Doubled());
        Assert.Equal(7, new Seven() + new Seven());
    }

    [Fact]
    public void Records_()
    {
        var person = new Person("Ada", 36);
        Assert.Equal("Hello, Ada", person.Greeting);
        Assert.True(person.IsAdult);
        Assert.Equal(person, person with { });
        Assert.Equal(1, new Counter { Label = "x" }.Next());
    }

    [Fact]
    public void Parts()
    {
        var split = new Split();
        Assert.Equal(8, split.One());
        split.Call();
        Assert.Equal(3, Lined.Moved(3));
        Assert.True(Made.Matches("aab"));
    }

    [Fact]
    public async Task Excluded_()
    {
        var partly = new PartlyExcluded();
        Assert.Equal(8, partly.Counted());
        Assert.Equal(1, await partly.Later());
        Assert.Equal(1, partly.Method([4]));
        partly.OnGetter = 1;
    }

    [Fact]
    public void Exceptions_()
    {
        Assert.Throws<IndexOutOfRangeException>(() => Exceptions.Middle([1], 1));
        Assert.Equal(-1, Exceptions.Caught("x"));
        Assert.Throws<InvalidOperationException>(() => Exceptions.Used(true));
        Exceptions.Throws("x");
        Assert.Equal(3, Exceptions.Chain(new Person("Ada", 1)));
        Assert.Throws<ArgumentException>(() => Exceptions.Exits(1));
    }
}

public class FSharp
{
    [Fact]
    public async Task Work()
    {
        Assert.Equal(6, FsCases.Work.area(FsCases.Shape.NewBox(2, 3)));
        Assert.Equal("zero", FsCases.Work.sign(0));
        Assert.Equal(3, await FsCases.Work.later(3));
        Assert.Equal([2], FsCases.Work.numbers(3));
        Assert.Equal(-1, FsCases.Work.safe("x"));
        Assert.Equal("nobody", FsCases.Work.named(null));
        Assert.Equal(2, new FsCases.Counter(1).Next());
        Assert.Equal(2, Microsoft.FSharp.Control.FSharpAsync.RunSynchronously(FsCases.Work.workflow(1), null, null));
        Assert.Single(FsCases.Work.filtered(2, Microsoft.FSharp.Collections.ListModule.OfSeq([1, 2])));
        Assert.Equal(3, FsCases.Work.sum(Microsoft.FSharp.Collections.ListModule.OfSeq([1, 2])));
    }
}

public class VisualBasic
{
    [Fact]
    public async Task Work()
    {
        Assert.Equal("zero", VbCases.Work.Sign(0));
        Assert.Equal("early", VbCases.Work.Day(2));
        Assert.False(VbCases.Work.Both(true, false));
        Assert.Equal(3, await VbCases.Work.Later(3));
        Assert.Equal([1, 2], VbCases.Work.Upto(2));
        Assert.Equal(-1, VbCases.Work.Safe("x"));
        Assert.Equal([2], VbCases.Work.Filtered([1, 2], 2));
        Assert.Equal("nobody", VbCases.Work.Name(null));
    }
}
