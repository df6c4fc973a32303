// What the end-to-end tests profile: programs NAME [ARGS…]. Each prints what it did, so that a test sees its output
// unchanged.
string name = args.Length > 0 ? args[0] : "";
int Number(int index, int otherwise) => args.Length > index ? int.Parse(args[index]) : otherwise;

switch (name) {
  case "busy": Busy.Run(threads: Number(1, 1), rounds: Number(2, 100)); break;
  case "exceptions": Exceptions.Run(Number(1, 100)); break;
  case "faults": Faults.Run(Number(1, 20)); break;
  case "gc": Collections.Run(Number(1, 5)); break;
  case "found": Found.Run(Number(1, 100)); break;
  case "finalized": Finalized.Run(Number(1, 100), Number(2, 0)); break;
  case "heap": Heap.Run(); break;
  case "throw": Exceptions.ThrowEach(Number(1, 100)); break;
  case "threads": Threads.Run(Number(1, 64), Number(2, 1)); break;
  case "async": await Async.Run(Number(1, 50)); break;
  case "exit": return Number(1, 0);
  case "echo": return Echo.Run();
  case "crash": return Crash.Run(args[1]);
  case "wait": return Wait.Run();
  case "descriptors": Limits.Descriptors(); break;
  case "memory": Limits.Memory(); break;
  case "library": Limits.Library(args[1]); break;
  case "churn": Churn.Run(); break;
  case "sleep": Sleeps.Run(Number(1, 300)); break;
  case "ticking": Ticking.Run(); break;
  case "queued": Queued.Run(threads: Number(1, 8), rounds: Number(2, 100)); break;
  case "unfinished": Unfinished.Run(Number(1, 3)); break;
  case "allocate": Allocations.Run(Number(1, 1_000_000), Number(2, 100)); break;
  case "edited": Edited.Run(); break;
  case "rewritten": Rewritten.Run(); break;
  case "answers": Rewritten.Wait(args[1..].Select(int.Parse).ToArray()); break;
  case "parent": return Parent.Run(args[1..]);
  default:
    Console.Error.WriteLine($"programs: there is no program '{name}'");
    return 2;
}
Console.WriteLine($"{name} done");
return 0;
