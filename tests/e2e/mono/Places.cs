// A program for Mono of which it is known where it does what: comments at lines say it. It prints where Mono says that its
// exceptions were thrown.
using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Linq;

static class Places {
  public static object Kept;

  static long Burn(int ms) {
    long sum = 0;
    for (var watch = Stopwatch.StartNew(); watch.ElapsedMilliseconds < ms;) {
      sum += 1;
      for (int i = 0; i < 100000; i++) sum = sum * 31 + i % 7; // burns
      sum -= 1;
    }
    return sum;
  }

  static void Plain(int i) {
    if (i < 0) Kept = null;
    throw new InvalidOperationException("plain"); // throws
  }

  static T Generic<T>(T value) where T : class {
    if (value != null)
      throw new ArgumentException( // throws an argument
          "generic", value.ToString());
    return value; // never
  } // never

  static IEnumerable<int> Iterator() {
    yield return 1; // goes on
    throw new NotSupportedException("iterator"); // throws behind a yield
  } // never

  static int Middle(int i) {
    for (int k = 0; k < 10; k++) {
      if (k == i)
        throw new TimeoutException("middle"); // throws in a loop
      Kept = null;
    }
    return i; // never
  } // never

  static int Caller(int i) {
    int before = i + 1;
    Plain(before);
    return before; // never
  } // never

  static void Catch(Action action) {
    try {
      action();
    } catch (Exception e) {
      Console.WriteLine(e.GetType().FullName + e.StackTrace);
    }
  }

  static void Allocate() {
    for (int i = 0; i < 2000; i++)
      Kept = new Uri("http://localhost/" + i);
    for (int i = 0; i < 2000; i++)
      Kept = new Version(i, 2); // allocates
  }

  static int Main(string[] args) {
    Catch(() => Plain(1));
    Catch(() => Generic("text"));
    Catch(() => { foreach (int i in Iterator()) Kept = i; });
    Catch(() => Caller(2));
    Catch(() => Middle(3));
    Catch(() => {
#line 500 "Made.cs"
      Kept = null;
      throw new FormatException("made");
#line default
    });
    Allocate();
    return Burn(int.Parse(args[0])) == 1 ? 1 : 0; // calls what burns
  }
}
