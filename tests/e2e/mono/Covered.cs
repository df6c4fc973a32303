// Code that runs a known number of times. HOST runs PLUGIN's Main in a domain of its own, which it unloads.
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading;

#if HOST
static class Program {
  static void Main(string[] args) {
    for (int i = 0; i < 2; i++) {
      AppDomain domain = AppDomain.CreateDomain("plugin " + i);
      domain.ExecuteAssembly(args[0]);
      if (args.Length == 1)
        AppDomain.Unload(domain);
    }
  }
}
#else
static class Covered {
  static int Fib(int n) {
    if (n < 2)
      return n;  // leaf
    return Fib(n - 1) + Fib(n - 2);  // inner
  }

  static string Try(bool fails) {
    try {
      if (fails)
        throw new ApplicationException();  // throw
      return "passed";  // pass
    } catch (ApplicationException) {
      return "failed";  // catch
    }
  }

  static T Same<T>(T value) {
    if (typeof(T) == typeof(int))
      return value;  // int
    return value;  // other
  }

  static int Switch(int n) {
    switch (n) {
      case 0:
        return 5;  // zero
      case 1:
        return 6;  // one
      default:
        return 9;  // many
    }
  }

  static IEnumerable<int> Iterate(int n) {
    for (int i = 0; i < n; i++)
      yield return i;  // yield
  }

  static void Never() {
    Console.WriteLine("never");  // never
  }

  static void Main(string[] args) {
    Console.WriteLine(Fib(10));
    Console.WriteLine(Try(true) + Try(false) + Try(false));
    Console.WriteLine(Same(3) + Same(4) + Same("a") + Same(1.5));
    for (int i = 0; i < 7; i++)
      Switch(i);
    foreach (int i in Iterate(3))
      Switch(9);
    if (args.Length > 0)
      Wait(args[0]);
  }

  [DllImport("libc", EntryPoint = "_exit")]
  static extern void Quit(int code);

  static void Wait(string how) {
    Console.WriteLine("ready");
    if (how == "abort")
      throw new InvalidOperationException();
    if (how == "late") {
      Console.ReadLine();
      Never();
      return;
    }
    if (how == "exit")
      Environment.Exit(3);
    if (how == "quit") {
      Thread.Sleep(600);
      Quit(4);
    }
    Thread.Sleep(Timeout.Infinite);  // waits
  }
}
#endif
