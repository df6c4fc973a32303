// Signals of the program's own: handlers in managed code, handlers in native code, threads that wait for signals, timers.
using System.Runtime.InteropServices;
using System.Text;

namespace Stress;

static unsafe class Signals {
  [DllImport("stress")]
  static extern void stress_signals_queued(int first, int last, int times, byte* told, nuint size);
  [DllImport("stress")] static extern int stress_signals_blocked(int milliseconds);
  [DllImport("stress")] static extern int stress_signals_waited_for(int number, int times);
  [DllImport("stress")] static extern int stress_signals_interval(int which, int number, int times);
  [DllImport("stress")] static extern int stress_signals_timer(int clock, int number, int times);
  [DllImport("stress")] static extern int stress_signals_alternate_stack();
  [DllImport("stress")] static extern int stress_signals_realtime_minimum();
  [DllImport("stress")] static extern int stress_signals_realtime_maximum();

  const int Hangup = 1, User = 10, Alarm = 14, Child = 17, Window = 28;

  static int Realtime(int number) => stress_signals_realtime_minimum() + number;

  // PosixSignalRegistration: each signal sent 100 times, the next when the one before was handled.
  public static int Registered(string[] args) {
    Tools.BesidesWork(() => {
      foreach (int number in new[] { Hangup, User, Window, Realtime(4) }) {
        var handled = new SemaphoreSlim(0);
        int count = 0;
        using (PosixSignalRegistration.Create((PosixSignal)number, context => {
          context.Cancel = true;
          count++;
          handled.Release();
        })) {
          for (int i = 0; i < 100; i++) {
            Libc.Kill(Environment.ProcessId, number);
            if (!handled.Wait(20000)) {
              Console.WriteLine("not handled");
            }
          }
        }
        Console.WriteLine($"{(number == Realtime(4) ? "real time" : number)}: {count}");
      }
      int children = 0;
      // Signals of children may come when nobody waits for them any more.
      var ended = new SemaphoreSlim(0);
      using (PosixSignalRegistration.Create((PosixSignal)Child, _ => {
        Interlocked.Increment(ref children);
        ended.Release();
      })) {
        for (int i = 0; i < 10; i++) {
          Libc.System("exit 3");
          using var child = System.Diagnostics.Process.Start("true");
          child.WaitForExit();
          ended.Wait(20000);
        }
      }
      Console.WriteLine($"children {(children >= 10 ? "ended" : "missed")}");
    });
    return 0;
  }

  // Native handlers for some real-time signals, or for all but the runtime's.
  public static int Queued(string[] args) {
    var told = new byte[8192];
    int last = args.Contains("all") ? stress_signals_realtime_maximum() : Realtime(8);
    Tools.BesidesWork(() => {
      fixed (byte* text = told) {
        stress_signals_queued(Realtime(1), last, 5, text, (nuint)told.Length);
      }
    });
    Console.Write(Encoding.UTF8.GetString(told).TrimEnd('\0'));
    return 0;
  }

  // Threads that block all signals and compute.
  public static int Blocked(string[] args) {
    var seen = new int[2];
    Tools.Together(2, i => seen[i] = stress_signals_blocked(200));
    Console.WriteLine($"{string.Join(" ", seen)} signals on threads that block them");
    return 0;
  }

  public static int WaitedFor(string[] args) {
    var seen = new int[4];
    Tools.BesidesWork(() => Tools.Together(4, i => seen[i] = stress_signals_waited_for(Realtime(5), 100)));
    Console.WriteLine($"{string.Join(" ", seen)} of 100 each");
    return 0;
  }

  // Interval timers on all three clocks, alarm(2)'s signal, timers of POSIX by signal and by thread.
  public static int Timers(string[] args) {
    const int virtualAlarm = 26, profiling = 27;
    Tools.BesidesWork(() => {
      Console.WriteLine($"real {stress_signals_interval(0, Alarm, 20)}");
      Console.WriteLine($"virtual {stress_signals_interval(1, virtualAlarm, 20)}");
      Console.WriteLine($"profiling {stress_signals_interval(2, profiling, 20)}");
      foreach (int clock in new[] { 0, 1, 2, 3 }) {
        Console.WriteLine($"clock {clock}: {stress_signals_timer(clock, Realtime(6 + clock), 10)} by signal, " +
                          $"{stress_signals_timer(clock, 0, 10 + 10 * clock)} by thread");
      }
    });
    return 0;
  }

  public static int AlternateStack(string[] args) {
    var right = new int[4];
    Tools.Together(4, i => right[i] = stress_signals_alternate_stack());
    Console.WriteLine($"handled on a stack of its own: {string.Join(" ", right)}");
    return 0;
  }
}
