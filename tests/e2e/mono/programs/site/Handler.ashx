<%@ WebHandler Language="C#" Class="Handler" %>
using System; using System.Web;
public class Handler : IHttpHandler {
  public bool IsReusable { get { return true; } }
  public static int Fib(int n) { return n < 2 ? n : Fib(n - 1) + Fib(n - 2); }
  public void ProcessRequest(HttpContext c) { c.Response.ContentType = "text/plain"; c.Response.Write(Fib(12).ToString()); }
}
