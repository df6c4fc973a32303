// Allocates in every way there is, each kind as often as its argument says (10 by default). Types that only one way makes
// are named Made…: their counts are known.
using System.Runtime.CompilerServices;

int times = args.Length > 0 ? int.Parse(args[0]) : 10;
string only = args.Length > 1 ? args[1] : "";
foreach (var (name, kind) in Kinds.All)
{
    if (!name.Contains(only)) continue;
    for (int i = 0; i < times; i++) kind(i);
}
Console.WriteLine($"{Kinds.All.Length} kinds, {times} times each");

static class Kinds
{
    // What is stored here escapes, so that no compiler allocates it on the stack.
    public static object? Sink;

    public static readonly (string, Action<int>)[] All =
    [
        ("classes", Objects.Classes), ("arrays", Objects.Arrays), ("boxes", Boxes.Plain), ("nullable boxes", Boxes.Nullables),
        ("generic boxes", Boxes.InGenerics), ("folded boxes", Boxes.Folded), ("enum boxes", Boxes.Enums),
        ("delegates", Closures.Delegates), ("closures", Closures.Captures), ("iterators", Closures.Iterators),
        ("async", Closures.Asynchronous), ("activator", Natives.Activators), ("clones", Natives.Clones),
        ("array helpers", Natives.ArrayHelpers), ("uninitialized", Natives.Uninitialized), ("reflection", Natives.Reflection),
        ("thrown by constructors", Natives.ThrowingConstructors), ("thrown by the runtime", Natives.RuntimeExceptions),
        ("strings", Strings.Constructors), ("texts", Strings.Texts), ("builders", Strings.Builders),
        ("language", Language.Forms), ("records", Language.Records), ("linq", Language.Linq),
        ("not loaded yet", Language.NotLoadedYet), ("stack", Language.OnTheStack),
    ];
}
