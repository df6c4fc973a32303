// Registrations that are never undone: what a request makes stays with something that lives as long as the program.
using System.Runtime.CompilerServices;

namespace Growth;

class Visit(int number) {
  public readonly int Number = number;
  public readonly byte[] Page = new byte[1_500];
  public bool Stopped;
  public Timer? Reminder;

  public void Stop() => Stopped = true;
  public void Remind(object? state) => Stopped = true;
}

static class Registrations {
  const int Requests = 100_000;

  static void Serve(Action<Visit> register) {
    for (int request = 0; request < Requests; request++) {
      register(new Visit(request));
      Growth.Requests.Answer(request);
    }
  }

  public static void Tokens() => Serve(Listen);
  public static void Released() => Serve(ListenForAWhile);
  public static void Timers() => Serve(Wait);
  public static void Attached() => Serve(Attach);
  public static void Delegates() => Serve(Tell);

  static readonly CancellationTokenSource Stopping = new();

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Listen(Visit visit) => Stopping.Token.Register(visit.Stop);  // registers

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void ListenForAWhile(Visit visit) => Stopping.Token.Register(visit.Stop).Dispose();

  // A timer that is due in a day is kept until then, with what its callback belongs to.
  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Wait(Visit visit) => visit.Reminder = new Timer(visit.Remind, null, 86_400_000, Timeout.Infinite);  // starts

  static readonly ConditionalWeakTable<object, Visit> Notes = [];
  static readonly List<object> Keys = [];

  // The keys stay, and with each what is attached to it.
  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Attach(Visit visit) {
    object key = string.Empty.Length == 0 ? new object() : Notes;
    Keys.Add(key);
    Notes.Add(key, visit);  // attaches
  }

  static Action? stopping;

  [MethodImpl(MethodImplOptions.NoInlining)]
  static void Tell(Visit visit) => stopping += visit.Stop;  // combines
}
