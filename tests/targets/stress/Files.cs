// A program that does a little of everything in few resources: it is run under limits.

namespace Stress;

static class Files {
  public static int Run(string[] args) {
    int count = Tools.Number(args, 0, 5);
    int lines = Tools.Number(args, 1, 2000);
    var streams = Enumerable.Range(0, count).Select(i => new StreamWriter($"text-{i}")).ToList();
    long sum = 0;
    for (int line = 0; line < lines; line++) {
      foreach (StreamWriter stream in streams) {
        stream.WriteLine(line);
      }
      sum += Tools.Work(20);
    }
    streams.ForEach(stream => stream.Dispose());
    Tools.Together(4, _ => Interlocked.Add(ref sum, Tools.Work(2000)));
    Console.WriteLine($"{count} files, {Enumerable.Range(0, count).Sum(i => File.ReadLines($"text-{i}").Count())} lines, {sum}");
    return 0;
  }
}
