// Much of the framework at work on data that is always the same: JSON, regular expressions, LINQ, text, hashing, tasks.
using System.Collections.Concurrent;
using System.Globalization;
using System.Numerics;
using System.Security.Cryptography;
using System.Text;
using System.Text.Json;
using System.Text.RegularExpressions;

CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
var orders = Enumerable.Range(0, 2000).Select(i => new Order(i, $"customer {i % 37}", i * 1.25m, [$"tag{i % 5}", $"tag{i % 7}"])).ToList();

string json = JsonSerializer.Serialize(orders);
List<Order> back = JsonSerializer.Deserialize<List<Order>>(json)!;
using JsonDocument document = JsonDocument.Parse(json);
Console.WriteLine($"json {json.Length} {back.Sum(order => order.Price)} {document.RootElement.GetArrayLength()} {Hash(json)}");

var pattern = new Regex(@"(?<name>customer (\d+)).*?""Price"":(?<price>[\d.]+)", RegexOptions.Compiled);
var lazy = new Regex(@"tag(\d)", RegexOptions.IgnoreCase);
Console.WriteLine($"regex {pattern.Matches(json).Count} {pattern.Replace(json, "${price}").Length} {lazy.Matches(json).GroupBy(match => match.Groups[1].Value).Count()}");

var best = from order in back
           group order by order.Customer into customer
           orderby customer.Sum(order => order.Price) descending, customer.Key
           select $"{customer.Key}={customer.Sum(order => order.Price)}";
Console.WriteLine($"linq {string.Join(",", best.Take(5))} {back.SelectMany(order => order.Tags).Distinct().Count()} {back.Chunk(7).Count()} {back.Zip(back.Skip(1)).Count(pair => pair.First.Id < pair.Second.Id)}");

var text = new StringBuilder();
foreach (var order in back.Where(order => order.Id % 3 == 0)) text.AppendLine(CultureInfo.InvariantCulture, $"{order.Id,6:D4}|{order.Customer,-12}|{order.Price:F2}");
Console.WriteLine($"text {text.Length} {Hash(text.ToString())} {BigInteger.Pow(7, 200) % 1_000_003}");

var counts = new ConcurrentDictionary<string, int>();
await Parallel.ForEachAsync(back, async (order, cancel) => { await Task.Yield(); counts.AddOrUpdate(order.Customer, 1, (_, old) => old + 1); });
int failed = 0;
foreach (var wrong in new[] { "{", "[1,", "nul", "\"" })
{
    try { JsonSerializer.Deserialize<List<Order>>(wrong); }
    catch (JsonException) { failed++; }
}
Console.WriteLine($"tasks {counts.Count} {counts.Values.Sum()} {failed}");

static string Hash(string text) => Convert.ToHexString(SHA256.HashData(Encoding.UTF8.GetBytes(text)))[..16];

record Order(int Id, string Customer, decimal Price, string[] Tags);
