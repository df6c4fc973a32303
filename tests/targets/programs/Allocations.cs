// A known number of objects of two classes, small ones and ones of about half of what the runtime samples by.
static class Allocations {
  sealed class Block(long a) {
    public readonly long A = a, B = a, C = a, D = a, E = a, F = a, G = a;
  }

  static object last = "";

  public static void Run(int blocks, int pages) {
    for (int i = 0; i < blocks; i++) last = new Block(i);
    for (int i = 0; i < pages; i++) last = new byte[50_000];
    Console.WriteLine($"the last is a {last.GetType().Name}");
  }
}
