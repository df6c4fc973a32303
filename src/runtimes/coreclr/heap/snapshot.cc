#include "runtimes/coreclr/heap/snapshot.h"

#include <unistd.h>

#include <chrono>
#include <cstring>
#include <memory>
#include <numeric>
#include <vector>

#include "base/clock.h"
#include "runtimes/coreclr/callbacks/heap_sizes.h"
#include "runtimes/coreclr/heap/forked_copy.h"
#include "runtimes/coreclr/heap/found_names.h"
#include "runtimes/coreclr/heap/heap_walk.h"
#include "runtimes/coreclr/heap/stopped_threads.h"

namespace oriel::coreclr {
namespace {

constexpr std::chrono::seconds kLongestWalk{300};

// A gigabyte takes a second or two.
std::chrono::seconds most_cpu_of_walk(uint64_t heap) {
  constexpr uint64_t kBytesASecond = 50 << 20;
  return std::chrono::seconds(20 + heap / kBytesASecond);
}

// Whether the runtime stopped the program. It refuses while it is stopped for a collection, say.
bool stop(ProfilerInfo& info) {
  constexpr HResult kSuspensionInProgress = static_cast<HResult>(0x80131388);
  constexpr int kMostTries = 30'000;
  for (int tries = 0; tries < kMostTries; ++tries) {
    const HResult result = info.SuspendRuntime();
    if (succeeded(result)) return true;
    if (result != kSuspensionInProgress) return false;
    usleep(1000);
  }
  return false;
}

// Everything that the copy needs. It is made before, and its memory is the copy's too.
struct Copied {
  HeapWalk walk;
  FoundHeap& found;

  static void run(void* self) { static_cast<Copied*>(self)->walk.run(); }
  static void on_fault(void* self) { static_cast<Copied*>(self)->found.outcome = CopyOutcome::kFault; }
};

Status status_of(const FoundHeap& found, const std::string& ended) {
  if (!ended.empty()) return Status::error(ended);
  switch (found.outcome) {
    case CopyOutcome::kDone:
      return Status::ok();
    case CopyOutcome::kNoMemory:
      return Status::error("the copy of the process got no memory");
    case CopyOutcome::kUnknownLayout:
      return Status::error("this runtime lays out objects in a way that Oriel does not know");
    case CopyOutcome::kRefused:
      return Status::error("the runtime does not enumerate its objects");
    case CopyOutcome::kVisitorFailed:
      return Status::error("it could not be written: " + std::string(std::strerror(found.error)));
    case CopyOutcome::kFault:
      return Status::error("the walk met memory that is not there");
    case CopyOutcome::kRunning:
      break;
  }
  return Status::error("the copy of the process ended before its work was done");
}

void add_spaces(ProfilerInfo& info, std::span<const FrozenRange> frozen, OwnedHeap& heap) {
  std::vector<GenerationRange> room;
  for (const GenerationRange& range : heap_parts(info, room))
    heap.all_spaces.push_back({range.generation, range.start, range.length});
  for (const FrozenRange& range : frozen) heap.all_spaces.push_back({5, range.start, range.length});
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
  if (const std::string why = obstacle_to_copy(size); !why.empty()) return Status::error(why);
  StoppedThreads threads;
  ForkedCopy copy;

  const uint32_t unloads = Held().unloads_begun();
  FoundNames naming(names, runtime, found, unloads, heap);
  if (!stop(*info.get())) return Status::error("the runtime could not be stopped for it");
  // Between these two: no lock that one of the program's threads could hold.
  const uint64_t begin = clock_monotonic_ns();
  heap.counter = clock_counter();
  threads.read();
  Copied copied{{*info.get(), visitor, frozen, threads.all(), size, found}, found};
  const int error = copy.start(Copied::run, Copied::on_fault, &copied, visitor.file, most_cpu_of_walk(size));
  info->ResumeRuntime();
  heap.frozen_ns = clock_monotonic_ns() - begin;
  if (error != 0) return Status::error("the process cannot be copied: " + std::string(std::strerror(error)));

  const std::string ended = copy.wait(kLongestWalk, [&] { return naming.name_some_types(); });
  if (const Status status = status_of(found, ended); !status) return status;
  heap.walked_ns = found.walked_ns;
  naming.finish();
  return Status::ok();
}

}  // namespace oriel::coreclr
