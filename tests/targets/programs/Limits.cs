using System.Runtime.InteropServices;

// What a process with little may have: prints what it got.
static class Limits {
  // The number of the first file that the program opens, and how many it can have open at once.
  public static void Descriptors() {
    var files = new List<int>(capacity: 100_000);
    for (int file; (file = open("/dev/null", 0)) >= 0;) files.Add(file);
    foreach (int file in files) close(file);  // or the runtime could not even print
    Console.WriteLine($"first {files[0]}, {files.Count} in all");
  }

  // Works for a while, with memory and threads of its own.
  public static void Memory() {
    var threads = Enumerable.Range(0, 4).Select(_ => new Thread(() => {
      for (int i = 0; i < 200; i++) GC.KeepAlive(new byte[100_000]);
    })).ToArray();
    foreach (var thread in threads) thread.Start();
    foreach (var thread in threads) thread.Join();
  }

  // Loads a library and tells whether that was possible.
  public static void Library(string path) =>
      Console.WriteLine(NativeLibrary.TryLoad(path, out _) ? "loaded" : "cannot be loaded");

  [DllImport("libc")]
  static extern int open(string path, int flags);
  [DllImport("libc")]
  static extern int close(int file);
}
