// Counts, measures and names what it does, and tells at the end what of it there was.
using System.Diagnostics;
using System.Diagnostics.Metrics;
using System.Diagnostics.Tracing;

namespace Meters;

static class Program {
  static int Main(string[] args) {
    switch (args[0]) {
      case "counters":
        Counters.Run();
        return 0;
      case "pool":
        Pool.Run();
        return 0;
      case "histograms":
        Counters.ManyHistograms();
        return 0;
      case "shared":
        Shared.Run();
        return 0;
      case "activities":
        Activities.Run();
        return 0;
      case "taken":
        using (new Taking()) Activities.Run();
        return 0;
      default:
        return 2;
    }
  }
}

// Blocks more threads of the pool than it has, without telling it so.
static class Pool {
  public static void Run() {
    using var done = new CountdownEvent(12);
    for (int i = 0; i < done.InitialCount; i++)
      ThreadPool.UnsafeQueueUserWorkItem(_ => { Thread.Sleep(1500); done.Signal(); }, null);
    done.Wait();
    Console.WriteLine("blocked");
  }
}

[EventSource(Name = "Shop-Old")]
sealed class Old : EventSource {
  public static readonly Old Log = new();
  public readonly EventCounter Weight;
  public readonly IncrementingEventCounter Parcels;

  Old() {
    Weight = new("weight", this) { DisplayName = "Weight", DisplayUnits = "g" };
    Parcels = new("parcels", this) { DisplayName = "Parcels" };
  }
}

static class Counters {
  static readonly Meter Shop = new("Shop.Orders", "1.0");
  static readonly Counter<long> Orders = Shop.CreateCounter<long>("orders", "{order}");
  static readonly Histogram<double> Prices = Shop.CreateHistogram<double>("price", "EUR");
  static readonly Meter Other = new("Other.Things");
  static readonly Counter<long> Things = Other.CreateCounter<long>("things");

  public static void Run() {
    int stock = 1000;
    Shop.CreateObservableGauge("stock", () => stock, "{piece}");
    for (int i = 0; i < 35; i++) {
      Orders.Add(2, new KeyValuePair<string, object?>("kind", "tea"));
      Orders.Add(1, new KeyValuePair<string, object?>("kind", "coffee"));
      Prices.Record(10);
      Things.Add(1);
      Old.Log.Weight.WriteMetric(250);
      Old.Log.Parcels.Increment(3);
      stock -= 3;
      Thread.Sleep(100);
    }
    Console.WriteLine("105 orders");
  }

  // More than are told of.
  public static void ManyHistograms() {
    for (int i = 0; i < 25; i++) {
      for (int kind = 0; kind < 12; kind++) Prices.Record(kind, new KeyValuePair<string, object?>("kind", kind));
      Thread.Sleep(100);
    }
    Console.WriteLine("histograms");
  }
}

// Asks for its meters as dotnet-counters does, while Oriel does so too.
static class Shared {
  sealed class Listener : EventListener {
    public volatile int Values, Errors;

    protected override void OnEventSourceCreated(EventSource source) {
      if (source.Name == "System.Diagnostics.Metrics")
        EnableEvents(source, EventLevel.Informational, (EventKeywords)2, new Dictionary<string, string?> {
          ["SessionId"] = "SHARED", ["ClientId"] = "a-tool", ["Metrics"] = "Shop.Orders", ["RefreshInterval"] = "1",
          ["MaxTimeSeries"] = "1000", ["MaxHistograms"] = "10" });
    }

    protected override void OnEventWritten(EventWrittenEventArgs told) {
      if (told.EventName is "CounterRateValuePublished") ++Values;
      if (told.EventName is "MultipleSessionsConfiguredIncorrectlyError") ++Errors;
    }
  }

  public static void Run() {
    using var listener = new Listener();
    Counters.Run();
    Console.WriteLine(listener.Values > 0 && listener.Errors == 0 ? "shared" : $"{listener.Values} {listener.Errors}");
  }
}

// Asks for the activities in its own way.
sealed class Taking : EventListener {
  protected override void OnEventSourceCreated(EventSource source) {
    if (source.Name == "Microsoft-Diagnostics-DiagnosticSource")
      EnableEvents(source, EventLevel.Informational, (EventKeywords)2,
                   new Dictionary<string, string?> { ["FilterAndPayloadSpecs"] = "[AS]*/Stop:-Id" });
  }
}

// Requests with parts, some beside each other, on whichever thread.
static class Activities {
  static readonly ActivitySource Source = new("Shop.Web");
  static readonly ActivitySource Store = new("Shop.Store");

  public static void Run() {
    double all = 0;
    for (int i = 0; i < 5; i++) all += Request(i).Result;
    Console.WriteLine(all.ToString(System.Globalization.CultureInfo.InvariantCulture));
  }

  static async Task<double> Request(int number) {
    double took;
    using (Activity? request = Source.StartActivity("GET /cart")) {
      var watch = Stopwatch.StartNew();
      request?.SetTag("cart.id", number);
      for (int i = 0; i < 12; i++) Query();
      await Task.WhenAll(Call("stock"), Call("prices"));
      if (number == 4) {
        await Task.Delay(150);
        request?.SetStatus(ActivityStatusCode.Error);
      }
      took = watch.Elapsed.TotalMilliseconds;
    }
    return took;
  }

  static void Query() {
    using Activity? query = Store.StartActivity("SELECT Price FROM Cart WHERE Id = @id");
    Thread.Sleep(1);
  }

  static async Task Call(string what) {
    await Task.Yield();
    using Activity? call = Store.StartActivity("call " + what);
    await Task.Delay(40);
  }
}
