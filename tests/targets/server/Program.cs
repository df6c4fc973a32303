// A web server for tests: takes any free port, prints it, and answers until a request for /stop.
var builder = WebApplication.CreateSlimBuilder(args);
builder.Logging.ClearProviders();
var app = builder.Build();
app.Urls.Add("http://127.0.0.1:0");
app.MapGet("/work/{n:int}", (int n) => Work(n).ToString());
app.MapGet("/wait/{ms:int}", async (int ms) => { await Task.Delay(ms); return "waited"; });
app.MapGet("/stop", () => { app.Lifetime.StopApplication(); return "stopping"; });
await app.StartAsync();
Console.WriteLine(new Uri(app.Urls.First()).Port);
await app.WaitForShutdownAsync();

static long Work(int n) {
  var seen = new Dictionary<string, int>();
  for (int i = 0; i < n; i++) seen[$"key {i}"] = i;
  long sum = 0;
  foreach (int value in seen.Values) sum += value;
  return sum;
}
