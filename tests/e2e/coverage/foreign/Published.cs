using System.Text.Json;
using System.Text.Json.Nodes;
using DevLab.JmesPath;
using MessagePack;
using Newtonsoft.Json.Linq;
using Xunit;

// Which buckets of hash tables objects get depends on the thread that asks for their hash codes first.
[assembly: CollectionBehavior(DisableTestParallelization = true)]

namespace Foreign;

// Suites that are data: their files lie in the project's folder, as their packages have them.
public static class Published
{
    static readonly string Folder = Path.Combine(AppContext.BaseDirectory, "..", "..", "..", "suites");

    public static string Text(string path) => File.ReadAllText(Path.Combine(Folder, path));

    public static IEnumerable<string> In(string folder) =>
        Directory.GetFiles(Path.Combine(Folder, folder)).Select(Path.GetFileName).Order()!;
}

// JMESPath's compliance tests.
public class Queries
{
    const string Compliance = "jmespath/test/compliance";

    public static TheoryData<string> Files => [.. Published.In(Compliance)];

    [Theory, MemberData(nameof(Files))]
    public void Comply(string file)
    {
        var failed = new List<string>();
        foreach (var group in JArray.Parse(Published.Text($"{Compliance}/{file}")))
            foreach (var test in group["cases"]!)
                if (!Holds(group["given"]!, test)) failed.Add((string)test["expression"]!);
        Assert.Empty(failed);
    }

    static bool Holds(JToken given, JToken test)
    {
        try
        {
            var found = new JmesPath().Transform(given, (string)test["expression"]!);
            return test["error"] == null && JToken.DeepEquals(found, test["result"]);
        }
        catch (Exception)
        {
            return test["error"] != null;
        }
    }
}

// MessagePack's test suite: what each encoding of a value is read as, and that it comes back.
public class Encodings
{
    static readonly JsonElement Suite = JsonDocument.Parse(Published.Text("msgpack-test-suite/dist/msgpack-test-suite.json")).RootElement;

    public static TheoryData<string> Groups => [.. Suite.EnumerateObject().Select(group => group.Name)];

    [Theory, MemberData(nameof(Groups))]
    public void AreRead(string group)
    {
        foreach (var entry in Suite.GetProperty(group).EnumerateArray())
        {
            var value = entry.EnumerateObject().First();
            // Times that .NET has none for.
            if (value.Name == "timestamp" && value.Value[0].GetInt64() is < -62135596800 or > 253402300799) continue;
            foreach (var encoding in entry.GetProperty("msgpack").EnumerateArray())
                IsRead(Convert.FromHexString(encoding.GetString()!.Replace("-", "")), value);
        }
    }

    static void IsRead(byte[] encoding, JsonProperty value)
    {
        var read = Json(encoding);
        Assert.True(Means(read, value), $"{Convert.ToHexString(encoding)} was read as {read}");
        if (value.Name is "ext" or "timestamp") return;
        var again = MessagePackSerializer.Serialize(MessagePackSerializer.Deserialize<object?>(encoding));
        Assert.True(JsonNode.DeepEquals(Json(again), read), $"{Convert.ToHexString(encoding)} did not come back");
    }

    static JsonNode? Json(byte[] encoding) => JsonNode.Parse(MessagePackSerializer.ConvertToJson(encoding));

    static bool Means(JsonNode? read, JsonProperty value) => value.Name switch
    {
        "number" => Math.Abs((double)read! - value.Value.GetDouble()) <= 1e-6 * Math.Abs(value.Value.GetDouble()),
        "binary" => BitConverter.ToString(Convert.FromBase64String((string)read!)).ToLowerInvariant() == value.Value.GetString(),
        "nil" or "bool" or "string" or "array" or "map" => JsonNode.DeepEquals(read, JsonNode.Parse(value.Value.GetRawText())),
        _ => read != null,
    };
}
