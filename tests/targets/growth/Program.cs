// Programs whose heap grows, for one reason each, or does not: growth NAME. Where it does, the first screen of a profile
// is to name what stays and where it is made.
using System.Runtime.CompilerServices;

namespace Growth;

static class Program {
  static int Main(string[] args) {
    Action run = args[0] switch {
      "handlers" => Trading.Serve,
      "cache" => Search.Serve,
      "bounded" => Thumbnails.Serve,
      "steady" => Atlas.Serve,
      "tokens" => Registrations.Tokens,
      "released" => Registrations.Released,
      "timers" => Registrations.Timers,
      "attached" => Registrations.Attached,
      "delegates" => Registrations.Delegates,
      _ => throw new ArgumentException(args[0]),
    };
    run();
    Console.WriteLine("done");
    return 0;
  }
}

// What each request of a server makes and forgets.
static class Requests {
  static int length;

  [MethodImpl(MethodImplOptions.NoInlining)]
  public static void Answer(int number) {
    var page = new List<string>();
    for (int row = 0; row < 200; row++) page.Add("row " + (number + row));
    length += string.Join("\n", page).Length;
  }
}

// A publisher that lives as long as the program, and subscribers that are to live as long as a request.
class Market {
  public static readonly Market Open = new();
  public event EventHandler<int>? PriceChanged;

  public void Quote(int price) {
    if (price < 0) PriceChanged?.Invoke(this, price);
  }
}

class Screen {
  readonly byte[] cells;

  [MethodImpl(MethodImplOptions.NoInlining)]
  public Screen(int columns, int rows) {
    cells = new byte[columns * rows];  // shows
    Market.Open.PriceChanged += OnPrice;  // subscribes
  }

  void OnPrice(object? sender, int price) => cells[0] = (byte)price;
}

static class Trading {
  public static void Serve() {
    for (int request = 0; request < 60_000; request++) {
      _ = new Screen(80, 50);
      Requests.Answer(request);
      Market.Open.Quote(request);
    }
  }
}

// A cache whose keys are never asked for again.
class Answer(string query, int[] hits) {
  public readonly string Query = query;
  public readonly int[] Hits = hits;
}

static class Search {
  static readonly Dictionary<string, Answer> Known = [];

  public static void Serve() {
    for (int request = 0; request < 80_000; request++) {
      Find($"shoes size 42 session {request}");
      Requests.Answer(request);
    }
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static Answer Find(string query) {
    if (!Known.TryGetValue(query, out Answer? answer)) {
      answer = Run(query);
      Known.Add(query, answer);  // keeps
    }
    return answer;
  }

  [MethodImpl(MethodImplOptions.NoInlining)]
  static Answer Run(string query) => new(query, new int[500]);  // finds
}

// A cache that is full after a while: what comes pushes out what was there.
static class Thumbnails {
  const int Most = 6_000;
  static readonly Queue<int> Order = new();
  static readonly Dictionary<int, byte[]> Kept = [];

  public static void Serve() {
    for (int request = 0; request < 40_000; request++) {
      Show(request);
      Requests.Answer(request);
    }
  }

  static void Show(int picture) {
    if (Kept.Count == Most) Kept.Remove(Order.Dequeue());
    Kept.Add(picture, new byte[10_000]);
    Order.Enqueue(picture);
  }
}

// Much that is read as the program starts and used from then on.
static class Atlas {
  static readonly List<byte[]> Tiles = [];

  public static void Serve() {
    for (int tile = 0; tile < 20_000; tile++) Tiles.Add(new byte[8_000]);
    for (int request = 0; request < 40_000; request++) Requests.Answer(request + Tiles.Count);
  }
}
