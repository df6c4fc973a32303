// Calls, objects and exceptions whose numbers are known, in one file that runs on Mono and on CoreCLR: mcs compiles it, and
// CoreCLR has the names of Mono's libraries. What happens so often stands in modules_test.py.
using System;
using System.Runtime.CompilerServices;
using System.Threading;

namespace Known {
  static class Recursion {
    // 21 calls for 20.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Down(int n) { return n == 0 ? 0 : 1 + Down(n - 1); }
  }

  static class Exceptions {
    // Throw ends by its exception.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static int Catch(int i) {
      try {
        return Throw(i);
      } catch (InvalidOperationException) {
        return 1;
      }
    }
    [MethodImpl(MethodImplOptions.NoInlining)]
    static int Throw(int i) { throw new InvalidOperationException("no " + i); }
  }

  class Node {
    public Node Next;
  }

  static class Objects {
    // Ten nodes.
    [MethodImpl(MethodImplOptions.NoInlining)]
    public static Node Make() {
      Node list = null;
      for (int n = 0; n < 10; n++) list = new Node { Next = list };
      return list;
    }
  }

  static class Busy {
    static double sum;

    [MethodImpl(MethodImplOptions.NoInlining)]
    static void Step() {
      for (int i = 1; i < 100000; i++) sum += Math.Sqrt(i);
    }
    public static void Spin(int milliseconds) {
      for (int begin = Environment.TickCount; Environment.TickCount - begin < milliseconds;) Step();
    }
  }

  static class Program {
    // known.exe ROUNDS [MILLISECONDS-OF-WORK]
    static int Main(string[] args) {
      int rounds = int.Parse(args[0]), sum = 0;
      for (int i = 0; i < rounds; i++) {
        sum += Recursion.Down(20);
        sum += Exceptions.Catch(i);
        sum += Objects.Make().Next == null ? 0 : 1;
        GC.Collect();
        var thread = new Thread(() => { });
        thread.Start();
        thread.Join();
      }
      if (args.Length > 1) Busy.Spin(int.Parse(args[1]));
      Console.WriteLine("sum " + sum);
      return 0;
    }
  }
}
