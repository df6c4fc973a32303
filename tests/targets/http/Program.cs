// A web server and its client in one program: requests whose URL and status are known.
using System;
using System.Net;
using System.Net.Http;
using System.Threading.Tasks;

var listener = new HttpListener();
var port = 20000 + Environment.ProcessId % 20000;
listener.Prefixes.Add($"http://127.0.0.1:{port}/");
listener.Start();
var server = Task.Run(async () =>
{
    while (listener.IsListening)
    {
        HttpListenerContext context;
        try { context = await listener.GetContextAsync(); }
        catch (Exception e) when (e is HttpListenerException or ObjectDisposedException) { return; }
        context.Response.StatusCode = context.Request.Url!.AbsolutePath switch
        {
            "/missing" => 404,
            "/broken" => 500,
            _ => 200,
        };
        context.Response.Close();
    }
});

using (var client = new HttpClient { BaseAddress = new Uri($"http://127.0.0.1:{port}") })
{
    foreach (var path in new[] { "/", "/missing", "/search?q=oriel", "/broken" })
        Console.WriteLine($"{path} {(int)(await client.GetAsync(path)).StatusCode}");
    Console.WriteLine($"post {(int)(await client.PostAsync("/form", new StringContent("a=1"))).StatusCode}");
}
listener.Stop();
await server;
