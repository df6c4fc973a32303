using FluentValidation;
using Humanizer;
using Microsoft.Extensions.DependencyInjection;
using Microsoft.Extensions.DependencyInjection.Specification;
using Shouldly;
using Spectre.Console;
using Xunit;

namespace Foreign;

// All tests of the container's specification.
public class Container : DependencyInjectionSpecificationTests
{
    protected override IServiceProvider CreateServiceProvider(IServiceCollection services) => services.BuildServiceProvider();
}

public record Order(string Customer, int Amount, List<string> Lines);

public class OrderValidator : AbstractValidator<Order>
{
    public OrderValidator()
    {
        RuleFor(order => order.Customer).NotEmpty().MaximumLength(20).Must(name => name != "nobody").WithMessage("no one");
        RuleFor(order => order.Amount).InclusiveBetween(1, 100).When(order => order.Customer != "");
        RuleForEach(order => order.Lines).NotNull().Matches("^[a-z]+$");
    }
}

public class Libraries
{
    [Fact]
    public void Validation()
    {
        var validator = new OrderValidator();
        Assert.True(validator.Validate(new Order("Ada", 5, ["pears"])).IsValid);
        Assert.Equal(3, validator.Validate(new Order("nobody", 500, ["pears", "2"])).Errors.Count);
        Assert.False(validator.Validate(new Order("", 0, [])).IsValid);
        Assert.Throws<ValidationException>(() => validator.ValidateAndThrow(new Order("", 0, [])));
    }

    [Fact]
    public void Words()
    {
        Assert.Equal("three", 3.ToWords());
        Assert.Equal("21st", 21.Ordinalize(new System.Globalization.CultureInfo("en-US")));
        Assert.Equal("people", "person".Pluralize());
        Assert.Equal("Some title here", "SomeTitleHere".Humanize());
        Assert.Equal("2 days", TimeSpan.FromDays(2).Humanize());
        Assert.Equal("MCMXC", 1990.ToRoman());
        Assert.Equal("10 KB", 10.Kilobytes().ToString());
    }

    [Fact]
    public void Console_()
    {
        var writer = new StringWriter();
        var console = AnsiConsole.Create(new AnsiConsoleSettings { Out = new AnsiConsoleOutput(writer), Ansi = AnsiSupport.No });
        var table = new Table().AddColumn("name").AddColumn(new TableColumn("[red]count[/]").RightAligned());
        table.AddRow("pears", "3").AddRow("[bold]apples[/]", "14");
        console.Write(table);
        console.Write(new Tree("root") { Nodes = { new TreeNode(new Text("leaf")) } });
        console.Write(new Rule("end").LeftJustified());
        Assert.Contains("apples", writer.ToString());
    }

    [Fact]
    public void Assertions()
    {
        3.ShouldBe(3);
        new[] { 1, 2 }.ShouldContain(2);
        "pears".ShouldStartWith("pe");
        Should.Throw<ShouldAssertException>(() => new[] { 1, 2 }.ShouldBe([1, 3]));
    }
}
