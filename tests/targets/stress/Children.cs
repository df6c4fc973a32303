// Children of every kind, and what they inherit.
using System.Diagnostics;
using System.Runtime.InteropServices;
using System.Text;

namespace Stress;

static unsafe class Children {
  [DllImport("stress")] static extern int stress_children_fork_and_compute(int milliseconds, int code);
  [DllImport("stress")] static extern int stress_children_fork_and_sleep(int milliseconds);
  [DllImport("stress")] static extern int stress_children_spawn(string path, string argument);
  [DllImport("stress")] static extern int stress_children_vfork(string path);
  [DllImport("stress")] static extern void stress_children_leave_behind(int milliseconds);
  [DllImport("stress")] static extern void stress_descriptors(int lowest, int milliseconds, byte* told, nuint size);
  [DllImport("stress")] static extern int stress_descriptors_lowest(int times);

  // fork, vfork, posix_spawn and system by P/Invoke.
  public static int Forked(string[] args) {
    Tools.BesidesWork(() => {
      for (int i = 0; i < 3; i++) {
        Console.WriteLine($"computed {stress_children_fork_and_compute(100, 10 + i)}");
        Console.WriteLine($"slept {stress_children_fork_and_sleep(100)}");
        Console.WriteLine($"spawned {stress_children_spawn("/bin/true", "x")} {stress_children_spawn("/bin/false", "x")}");
        Console.WriteLine($"vfork {stress_children_vfork("/bin/false")}");
        Console.WriteLine($"system {Libc.System("exit 7") >> 8}");
      }
    });
    return 0;
  }

  static string Output(string program, params string[] arguments) {
    var start = new ProcessStartInfo(program, arguments) { RedirectStandardOutput = true };
    using Process process = Process.Start(start)!;
    string output = process.StandardOutput.ReadToEnd();
    process.WaitForExit();
    return $"{output.TrimEnd()} {process.ExitCode}";
  }

  // Process.Start, many at once.
  public static int Started(string[] args) {
    var told = new string[40];
    Tools.BesidesWork(() => Tools.Together(4, i => {
      for (int n = i; n < told.Length; n += 4) {
        told[n] = Output("/bin/sh", "-c", $"echo {n}; exit {n}");
      }
    }));
    Console.WriteLine(string.Join("\n", told));
    return 0;
  }

  // What a child has: its descriptors, signals and limits, or its environment.
  public static int See(string[] args) {
    string look = args[0] == "environment" ? "env | grep -v '^_=' | sort"
                                           : "ls /proc/self/fd; ulimit -a; grep '^Sig[BIC]' /proc/self/status";
    Console.WriteLine(Output("/bin/sh", "-c", look));
    Console.WriteLine($"system {Libc.System(look) >> 8}");
    return 0;
  }

  public static int LeftBehind(string[] args) {
    Tools.BesidesWork(() => stress_children_leave_behind(Tools.Number(args, 0, 400)));
    Console.WriteLine("left behind");
    return 17;
  }

  // What the console has open is closed with the rest: it is told by the first three descriptors alone, which are closed
  // for a while too if the first argument says so.
  public static int Descriptors(string[] args) {
    var told = new byte[1024];
    Tools.BesidesWork(() => {
      fixed (byte* text = told) {
        stress_descriptors(args.Contains("all") ? 0 : 3, 1000, text, (nuint)told.Length);
      }
    });
    fixed (byte* text = told) {
      Libc.Write(1, text, Encoding.UTF8.GetString(told).TrimEnd('\0').Length);
    }
    return 0;
  }

  // Beside threads that wait, which Oriel looks at.
  public static int LowestDescriptor(string[] args) {
    bool ended = false;
    var waiting = Enumerable.Range(0, 100).Select(_ => new Thread(() => {
      while (!Volatile.Read(ref ended)) {
        Thread.Sleep(3);
      }
    })).ToList();
    waiting.ForEach(thread => thread.Start());
    Thread.Sleep(500);  // until the runtime has opened what it needs; it seldom opens more
    int wrong = stress_descriptors_lowest(1_000_000);
    Volatile.Write(ref ended, true);
    waiting.ForEach(thread => thread.Join());
    Console.WriteLine(wrong < 50 ? "as good as always the lowest" : $"another number than the lowest {wrong} times");
    return 0;
  }
}
