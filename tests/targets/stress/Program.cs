// The stress corpus: stress PROGRAM [ARGS…]. Each program prints what it did, the same at every run, so that a run under
// Oriel can be compared with one without it. A line "~ NAME MUST TOOK" is a duration in milliseconds: what it has to be at
// least, and what it was.
using Stress;

var programs = new (string Name, Func<string[], int> Run)[] {
  ("threads-short", Threads.Short), ("threads-live", Threads.Live), ("threads-pool", Threads.Pool),
  ("threads-foreign", Threads.Foreign),
  ("blocking-native", BlockingNative.Run), ("blocking-foreign", BlockingNative.RunForeign),
  ("blocking-after-work", BlockingNative.AfterWork), ("blocking-managed", BlockingManaged.Run),
  ("exit", Exits.Run), ("exit-overflow", Exits.Overflow),
  ("signals-registered", Signals.Registered), ("signals-queued", Signals.Queued), ("signals-blocked", Signals.Blocked),
  ("signals-waited-for", Signals.WaitedFor), ("signals-timers", Signals.Timers),
  ("signals-alternate-stack", Signals.AlternateStack),
  ("children-forked", Children.Forked), ("children-started", Children.Started), ("children-see", Children.See),
  ("children-left-behind", Children.LeftBehind), ("descriptors", Children.Descriptors), ("descriptors-lowest", Children.LowestDescriptor),
  ("stacks", Stacks.Run), ("frames", Frames.Run), ("frames-returns", Frames.Returns),
  ("code-loops", Code.Loops), ("code-dynamic", Code.Dynamic), ("code-contexts", Code.Contexts),
  ("code-replaced", Replaced.Run), ("code-unloaded-while-named", Unloads.Run),
  ("heap-storm", Heap.Storm), ("heap-finalizers", Heap.Finalizers), ("heap-limit", Heap.Limit),
  ("heap-address-space", Heap.AddressSpace),
  ("exceptions", Exceptions.Run), ("exceptions-native", Exceptions.ThroughNative),
  ("filters", Filters.Run), ("files", Files.Run),
};

string name = args.Length > 0 ? args[0] : "";
foreach (var program in programs) {
  if (program.Name == name) {
    return program.Run(args[1..]);
  }
}
Console.Error.WriteLine($"stress: there is no program '{name}'");
return 2;
