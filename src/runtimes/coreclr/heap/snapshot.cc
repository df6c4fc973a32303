#include "runtimes/coreclr/heap/snapshot.h"

#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "engine/heap/forked_copy.h"
#include "engine/heap/stopped_threads.h"
#include "engine/heap/walk_outcome.h"
#include "runtimes/coreclr/callbacks/heap_sizes.h"
#include "runtimes/coreclr/heap/found_names.h"
#include "runtimes/coreclr/heap/heap_walk.h"
#include "runtimes/coreclr/heap/helper_thread.h"
#include "runtimes/coreclr/heap/stopped_program.h"

namespace oriel::coreclr {
namespace {

// What a snapshot is made of, wherever the walk happens; made ready before the program is stopped.
struct Task {
  ProfilerInfo& info;
  const oriel_heap_visitor& visitor;
  std::span<const FrozenRange> frozen;
  uint64_t size;  // bytes of the heap
  FoundHeap& found;
  FoundNames& naming;
  OwnedHeap& heap;
  StoppedThreads threads = {};
};

// What the copy needs. Its memory is the copy's too.
struct Copied {
  HeapWalk walk;
  FoundHeap& found;

  static void run(void* self) { static_cast<Copied*>(self)->walk.run(); }
  static void on_fault(void* self) { static_cast<Copied*>(self)->found.outcome = CopyOutcome::kFault; }
};

Status not_stopped() { return Status::error("the runtime could not be stopped for it"); }

void add_spaces(ProfilerInfo& info, std::span<const FrozenRange> frozen, OwnedHeap& heap) {
  std::vector<GenerationRange> room;
  for (const GenerationRange& range : heap_parts(info, room))
    heap.all_spaces.push_back({range.generation, range.start, range.length});
  for (const FrozenRange& range : frozen) heap.all_spaces.push_back({5, range.start, range.length});
}

// Between stopping the program and letting it go on: no lock that one of its threads could hold. Leaves in `obstacle`
// why no copy could be made.
Status walk_in_copy(Task& task, std::string& obstacle) {
  ForkedCopy copy;
  uint64_t begin = 0;
  int error = 0;
  {
    const StoppedProgram stopped(task.info);
    if (!stopped) return not_stopped();
    begin = clock_monotonic_ns();
    task.heap.counter = clock_counter();
    task.threads.read();
    Copied copied{{task.info, task.visitor, task.frozen, task.threads.all(), task.size, task.found}, task.found};
    error = copy.start(Copied::run, Copied::on_fault, &copied, task.visitor.file, most_cpu_of_walk(task.size));
  }
  task.heap.frozen_ns = clock_monotonic_ns() - begin;
  if (error != 0) return obstacle = why_not_copied(error), Status::ok();
  const std::string ended = copy.wait(kLongestWalk, [&] { return task.naming.name_some_types(); });
  return ended.empty() ? status_of(task.found) : Status::error(ended);
}

// The thread that stops the program must not wait for a stopped one, which may hold a lock of the runtime. So another
// thread names the types.
Status walk_in_process(Task& task) {
  if (const std::string why = obstacle_to_stopped_walk(task.size); !why.empty()) return Status::error(why);
  const HelperThread helper([&] { return task.naming.name_some_types(); });
  std::optional<HeapWalk> walk;  // its memory is given back when the program goes on
  unload::wait_for_unloads();
  uint64_t begin = 0;
  {
    const StoppedProgram stopped(task.info);
    if (!stopped) return not_stopped();
    const Held held;  // no type goes away meanwhile
    begin = clock_monotonic_ns();
    task.heap.counter = clock_counter();
    task.threads.read();
    walk.emplace(task.info, task.visitor, task.frozen, task.threads.all(), task.size, task.found,
                 WalkBounds(begin + kLongestStopNs), helper.stack());
    walk->run();
  }
  task.heap.frozen_ns = clock_monotonic_ns() - begin;
  if (task.found.outcome == CopyOutcome::kTooLong) stopped_walk_took_too_long(task.size);
  return status_of(task.found);
}

}  // namespace

Status take_snapshot(const Names& names, Runtime& runtime, const oriel_heap_visitor& visitor, OwnedHeap& heap) {
  ComPtr<ProfilerInfo> info;
  if (failed(names.info.QueryInterface(kICorProfilerInfo15Id, reinterpret_cast<void**>(info.receive()))))
    return Status::error("snapshots of the heap need .NET 10 or later");
  const PageMemory shared(sizeof(FoundHeap), PageMemory::Kind::kShared);
  if (!shared) return Status::error("out of memory");
  auto& found = *shared.as<FoundHeap>();
  const std::vector<FrozenRange> frozen = frozen_parts(*info.get());
  add_spaces(*info.get(), frozen, heap);
  const auto add = [](uint64_t sum, const oriel_heap_space& space) { return sum + space.bytes; };
  const uint64_t size = std::accumulate(heap.all_spaces.begin(), heap.all_spaces.end(), uint64_t{0}, add);
  FoundNames naming(names, runtime, found, Held().unloads_begun(), heap);
  Task task{*info.get(), visitor, frozen, size, found, naming, heap};

  std::string& obstacle = heap.why_not_copied = obstacle_to_copy(size);
  Status status = Status::ok();
  if (obstacle.empty()) status = walk_in_copy(task, obstacle);
  if (status && !obstacle.empty()) {
    status = walk_in_process(task);
    if (!status)
      status = Status::error("no copy of the process can be made (" + obstacle + "), and " + status.message());
  }
  if (!status) return status;
  heap.walked_ns = found.walked_ns;
  naming.finish();
  return Status::ok();
}

}  // namespace oriel::coreclr
