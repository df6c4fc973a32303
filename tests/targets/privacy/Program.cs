// Says secrets in each of the ways in which programs do. Each has its own word, so that a test can look for it.
using System.Diagnostics;
using System.Diagnostics.Metrics;

// Not as one word: pages show lines of this file.
const string P = "plan" + "ted";

using var source = new ActivitySource("Shop.Private");
using var meter = new Meter("Shop.Private");
var counter = meter.CreateCounter<int>("asked");

void Tell(string name, params (string, object)[] tags) {
  using Activity? activity = source.StartActivity(name, ActivityKind.Client);
  foreach (var (key, value) in tags) activity?.SetTag(key, value);
}

void Throw(string message) {
  try { throw new InvalidOperationException(message); } catch (InvalidOperationException) { }
}

// What a child of this kind has of Oriel in its environment, and what this process has.
void ShowEnvironment() {
  foreach (string name in Environment.GetEnvironmentVariables().Keys.Cast<string>().Order())
    if (name.StartsWith("ORIEL_") || name.StartsWith("CORECLR_")) Console.WriteLine(name);
}

switch (args[0]) {
  case "environment":
    ShowEnvironment();
    foreach (string[] command in new[] { new[] { "env" }, new[] { Environment.ProcessPath!, typeof(Program).Assembly.Location, "child" } }) {
      using Process child = Process.Start(new ProcessStartInfo(command[0], command[1..]) { RedirectStandardOutput = true })!;
      foreach (string line in child.StandardOutput.ReadToEnd().Split('\n'))
        if (line.StartsWith("ORIEL_") || line.StartsWith("CORECLR_") || line.Contains(".oriel")) Console.WriteLine("child " + line);
      child.WaitForExit();
    }
    break;
  case "child":
    ShowEnvironment();
    break;
  case "tell":
    Thread.CurrentThread.Name = $"token={P}_thread";
    for (int i = 0; i < 25; i++) {
      Tell("GET", ("http.request.method", "GET"), ("url.full", $"https://bob:{P}_user@host/a?id={P}_query&b=1"),
           ("url.query", $"?id={P}_querytag"));
      Tell($"SELECT * FROM Users\n-- {P}_comment\nWHERE Name = '{P}_title'", ("db.system", "postgresql"));
      Tell("query", ("db.system", "mssql"), ("db.statement", $"SELECT [a],[b] FROM [t] WHERE x = N'{P}_sql' AND y = 4711815"));
      Tell("redis", ("db.system", "redis"), ("db.statement", $"AUTH {P}_redis"));
      Tell("other", ("user.token", $"{P}_tag"), ("note", $"Password={P}_note;x=1"));
      counter.Add(1, new KeyValuePair<string, object?>("api_key", $"{P}_meter"));
      counter.Add(1, new KeyValuePair<string, object?>("db.query.text", $"SELECT a FROM t WHERE b IN ('c','{P}_list')"));
      Thread.Sleep(100);
    }
    Throw($"Login failed: password={P}_message for bob");
    Throw($"Cannot reach https://{P}_messageuser@host/x?key={P}_messagequery");
    Throw($"Server=db;User Id=app;Password={P} connection string;Encrypt=true");
    Console.WriteLine("told");
    break;
}
return 0;
