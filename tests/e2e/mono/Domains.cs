// Domains that come and go, with classes, generic instances and exceptions of their own. HOST makes them; EVEN and ODD are
// two programs that run in them, each with types that the other has not.
using System;
using System.Collections.Generic;
using System.Runtime.InteropServices;
using System.Threading;

#if HOST
static class Host {
  static volatile bool stop;
  static long thrown;

  static void Throw() {
    for (; !stop; Thread.Sleep(1))
      try {
        throw new ApplicationException("beside");
      } catch (ApplicationException) {
        thrown++;
      }
  }

  static void Fail() {
    try {
      throw new TimeoutException();
    } catch (TimeoutException) {
    }
  }

  // Handles of the program's own, in the places of those that went with a domain.
  static int Kept() {
    var handles = new GCHandle[200];
    for (int i = 0; i < handles.Length; i++) handles[i] = GCHandle.Alloc(new int[1], GCHandleType.Normal);
    Fail();
    int kept = 0;
    foreach (GCHandle handle in handles) {
      if (handle.Target is int[]) kept++;
      handle.Free();
    }
    return kept;
  }

  static void Main(string[] args) {
    var thread = new Thread(Throw);
    thread.Start();
    for (int i = 0; i < int.Parse(args[0]); i++) {
      AppDomain domain = AppDomain.CreateDomain("domain " + i);
      domain.ExecuteAssembly(args[1 + i % 2]);
      AppDomain.Unload(domain);
      Console.WriteLine(Kept());
    }
    stop = true;
    thread.Join();
    Console.WriteLine(thrown > 0);
  }
}
#else
#if EVEN
public class First { public long A; }
#else
public class Second { public long A, B; public object C; }
public class Third { public byte D; }
#endif

public struct Key { public int Id; }

static class Guest {
  static string Fill<T>(int n) where T : new() {
    var all = new List<T>();
    var index = new Dictionary<Key, T[]>();
    for (int i = 0; i < n; i++) {
      all.Add(new T());
      index[new Key { Id = i }] = new T[1];
      new Stack<T>();
    }
    int caught = 0;
    for (int i = 0; i < 10; i++)
      try {
        Fail(all);
      } catch (InvalidOperationException) {
        caught++;
      }
    return typeof(T).Name + " " + index.Count + " " + caught;
  }

  static void Fail<T>(List<T> list) { if (list.Count > 0) throw new InvalidOperationException(typeof(T).Name); }

  static void Main() {
#if EVEN
    Console.WriteLine(Fill<First>(100));
#else
    Console.WriteLine(Fill<Third>(100) + " " + Fill<Second>(100));
#endif
  }
}
#endif
