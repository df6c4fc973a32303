using System.Text.Json.Serialization;
using System.Text.RegularExpressions;

namespace Cases;

public static partial class Made
{
    [GeneratedRegex("^a+b?$")]
    private static partial Regex Letters();

    public static bool Matches(string text) => Letters().IsMatch(text);
}

[JsonSerializable(typeof(Person))]
public partial class PersonContext : JsonSerializerContext;
