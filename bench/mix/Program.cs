// Work of several kinds, round after round, on so many threads for so many seconds. Each half second it says what
// processor time a round took: microseconds.
using System.Diagnostics;

int threads = int.Parse(args[0]);
double seconds = double.Parse(args[1]);
long rounds = 0;
bool ends = false;
var all = Enumerable.Range(0, threads).Select(i => new Thread(() => {
  var mix = new Mix(i);
  while (!Volatile.Read(ref ends)) {
    mix.Round();
    Interlocked.Increment(ref rounds);
  }
})).ToList();
all.ForEach(thread => thread.Start());
var process = Process.GetCurrentProcess();
TimeSpan cpu = process.TotalProcessorTime;
long done = 0;
for (double passed = 0; passed < seconds; passed += 0.5) {
  Thread.Sleep(500);
  process.Refresh();
  TimeSpan now = process.TotalProcessorTime;
  long count = Interlocked.Read(ref rounds);
  Console.WriteLine(((now - cpu).TotalMicroseconds / Math.Max(1, count - done)).ToString("F1"));
  (cpu, done) = (now, count);
}
Volatile.Write(ref ends, true);
all.ForEach(thread => thread.Join());

abstract class Shape {
  public abstract double Area { get; }
}

sealed class Disk(double radius) : Shape {
  public override double Area => Math.PI * radius * radius;
}

sealed class Box(double width, double height) : Shape {
  public override double Area => width * height;
}

sealed class Mix(int seed) {
  readonly Random random = new(seed);
  readonly Dictionary<string, int> counts = [];
  readonly List<Shape> shapes = [];
  double sum;

  public void Round() {
    sum += Primes(2_000) + Words(40) + Shapes(200) + Sorted(300) + Matrix(16);
    if (double.IsNaN(sum)) throw new InvalidOperationException();
  }

  static int Primes(int below) {
    int found = 0;
    for (int n = 2; n < below; n++)
      if (IsPrime(n)) found++;
    return found;
  }

  static bool IsPrime(int n) {
    if (n < 4) return true;
    if (n % 2 == 0) return false;
    for (int d = 3; d * d <= n; d += 2)
      if (n % d == 0) return false;
    return true;
  }

  int Words(int many) {
    counts.Clear();
    for (int i = 0; i < many; i++) {
      string word = Word(random.Next(100));
      counts[word] = counts.TryGetValue(word, out int count) ? count + 1 : 1;
    }
    return counts.Count;
  }

  static string Word(int n) => n switch {
    < 10 => "small",
    < 50 when n % 2 == 0 => "even" + n,
    < 50 => "odd" + n,
    _ => n.ToString("x"),
  };

  double Shapes(int many) {
    shapes.Clear();
    for (int i = 0; i < many; i++) shapes.Add(i % 3 == 0 ? new Disk(i) : new Box(i, 2));
    double area = 0;
    foreach (Shape shape in shapes) area += Weight(shape) * shape.Area;
    return area;
  }

  static double Weight(Shape shape) => shape is Disk ? 0.5 : 1;

  int Sorted(int many) {
    var values = new int[many];
    for (int i = 0; i < many; i++) values[i] = random.Next(1000);
    for (int gap = many / 2; gap > 0; gap /= 2)
      for (int i = gap; i < many; i++)
        for (int j = i; j >= gap && Less(values[j], values[j - gap]); j -= gap) Swap(ref values[j], ref values[j - gap]);
    return values[many / 2];
  }

  static bool Less(int a, int b) => a < b;
  static void Swap(ref int a, ref int b) => (a, b) = (b, a);

  static double Matrix(int size) {
    var a = new double[size, size];
    for (int i = 0; i < size; i++)
      for (int j = 0; j < size; j++) a[i, j] = i * j % 7;
    double trace = 0;
    for (int i = 0; i < size; i++)
      for (int k = 0; k < size; k++) trace += a[i, k] * a[k, i];
    return trace;
  }
}
