// Makes the garbage collector work in every phase: many objects with pointers to one another, of which some live long;
// old ones that point to young ones; handles and finalizers; collections that compact, that sweep, and that run beside
// the program. Configured by the environment (DOTNET_gcServer, DOTNET_gcConcurrent).
//
//   collections ROUNDS
using System.Runtime.InteropServices;

var kept = new Node[400_000];
var handles = new List<GCHandle>();
int rounds = int.Parse(args[0]);
for (int round = 0; round < rounds; round++) {
  Renew(kept, round);
  handles.Add(GCHandle.Alloc(new Node(null), GCHandleType.Normal));
  for (int i = 0; i < 1000; i++) new Finalized();
  GC.Collect(0);
  GC.Collect(2, GCCollectionMode.Forced, blocking: true, compacting: round % 2 == 0);
  GC.Collect(2, GCCollectionMode.Forced, blocking: false);
  Renew(kept, round + 1);
}
Console.WriteLine($"{rounds} rounds, {handles.Count(handle => handle.IsAllocated)} handles, "
                  + (Finalized.Count > 0 ? "finalized" : "none finalized"));

// Every third is new and points to its neighbour: an old array is full of references to young objects.
static void Renew(Node[] kept, int round) {
  for (int i = round % 3; i < kept.Length; i += 3) kept[i] = new Node(kept[i == 0 ? kept.Length - 1 : i - 1]?.Cut());
}

sealed class Node(Node? next) {
  Node? next = next;
  readonly long[] payload = new long[4];

  public Node Cut() {
    next = null;
    return this;
  }
}

sealed class Finalized {
  public static int Count;
  ~Finalized() => Count++;
}
