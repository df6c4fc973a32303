// A small shop as people write one: a web API whose orders are kept by EF Core in SQLite. It takes any free port, prints
// it, and answers until a request for /stop.
using System.Diagnostics;
using Microsoft.EntityFrameworkCore;
using Shop;

var builder = WebApplication.CreateBuilder(args);
builder.Logging.SetMinimumLevel(LogLevel.Warning);
builder.Services.AddDbContext<ShopContext>(options => options.UseSqlite($"Data Source={args[0]}"));
builder.Services.AddScoped<OrderService>();
builder.Services.AddSingleton<Pricing>();
var app = builder.Build();
app.Urls.Add("http://127.0.0.1:0");
long ticks = 0;  // of reports, by a stopwatch of the program's own
app.UseWhen(context => context.Request.Path == "/report", report => report.Use(async (context, next) =>
{
    var watch = Stopwatch.StartNew();
    await next();
    Interlocked.Add(ref ticks, watch.ElapsedTicks);
}));
app.MapGet("/watched-ms", () => ticks * 1000.0 / Stopwatch.Frequency);
app.MapProducts();
app.MapOrders();
app.MapGet("/stop", () => { app.Lifetime.StopApplication(); return "stopping"; });
using (var scope = app.Services.CreateScope()) Seed.Fill(scope.ServiceProvider.GetRequiredService<ShopContext>());
await app.StartAsync();
Console.WriteLine(new Uri(app.Urls.First()).Port);
await app.WaitForShutdownAsync();
