#include "runtimes/mono/heap/snapshot.h"

#include <algorithm>
#include <chrono>
#include <ctime>
#include <optional>
#include <span>
#include <string>

#include "base/clock.h"
#include "engine/heap/forked_copy.h"
#include "engine/heap/walk_outcome.h"
#include "runtimes/mono/functions.h"
#include "runtimes/mono/heap/collector_threads.h"
#include "runtimes/mono/heap/found_names.h"
#include "runtimes/mono/heap/heap_walk.h"
#include "runtimes/mono/heap/root_register.h"
#include "runtimes/mono/heap/stopped_world.h"
#include "runtimes/mono/unload_gate.h"

namespace oriel::mono {
namespace {

// What the copy needs. Its memory is the copy's too.
struct Copied {
  HeapWalk walk;
  FoundHeap& found;

  static void run(void* self) { static_cast<Copied*>(self)->walk.run(); }
  static void on_fault(void* self) { static_cast<Copied*>(self)->found.outcome = CopyOutcome::kFault; }
};

// What both ways need; made ready before the program is stopped.
class Work : public StoppedWork {
 public:
  Work(const oriel_heap_visitor& visitor, uint64_t size, FoundHeap& found)
      : visitor_(visitor), size_(size), found_(found), references_(kMostReferences * sizeof(PlacedReference)) {}

  bool has_memory() const { return static_cast<bool>(references_); }

  void on_roots(uint64_t count, const uint8_t* const* places, MonoObject* const* objects) override {
    for (uint64_t i = 0; i < count; ++i) {
      if (references_count_ == kMostReferences) {
        found_.roots_cut = true;
        return;
      }
      references_.as<PlacedReference>()[references_count_++] = {reinterpret_cast<uintptr_t>(places[i]),
                                                                reinterpret_cast<uintptr_t>(objects[i])};
    }
  }

 protected:
  std::span<const PlacedReference> references() const { return {references_.as<PlacedReference>(), references_count_}; }
  void forget_references() { references_count_ = 0; }

  const oriel_heap_visitor& visitor_;
  const uint64_t size_;
  FoundHeap& found_;
  StoppedThreads threads_;
  const CollectorThreads collector_;

 private:
  static constexpr size_t kMostReferences = FoundHeap::kMostRoots;
  PageMemory references_;
  size_t references_count_ = 0;
};

class WorkOfCopy final : public Work {
 public:
  using Work::Work;

  void run() override {
    // After a full collection Mono clears memory up on a thread of its own.
    is_busy_ = !is_marking() && !collector_.are_idle();
    if (is_busy_) return forget_references();
    threads_.read();
    Copied copied{{visitor_, references(), threads_.all(), collector_.all(), size_, found_, {}}, found_};
    error_ = copy_.start(Copied::run, Copied::on_fault, &copied, visitor_.file, most_cpu_of_walk(size_));
  }

  bool is_busy() const { return is_busy_; }
  int error() const { return error_; }

  // "" if the copy has ended by itself. Sets `is_stuck` if it did nothing.
  std::string wait(bool& is_stuck) {
    constexpr uint64_t kMostRest = 10'000'000'000;
    uint64_t seen = UINT64_MAX, since = 0;
    return copy_.wait(kLongestWalk, [&] {
      if (found_.types_are_known.load(std::memory_order_acquire)) return false;
      const uint64_t now = clock_monotonic_ns(), done = found_.progress.load(std::memory_order_relaxed);
      if (done != std::exchange(seen, done)) since = now;
      if (now - since > kMostRest) {
        is_stuck = true;
        copy_.give_up();
      }
      return false;
    });
  }

 private:
  ForkedCopy copy_;
  bool is_busy_ = false;
  int error_ = 0;
};

class WorkInProcess final : public Work {
 public:
  using Work::Work;

  void run() override {
    threads_.read();
    walk_.emplace(visitor_, references(), threads_.all(), collector_.all(), size_, found_,
                  WalkBounds::without_looks_at_memory(clock_monotonic_ns() + kLongestStopNs));
    walk_->run();
  }

 private:
  std::optional<HeapWalk> walk_;  // its memory is given back when the program goes on
};

Status not_stopped() {
  return Status::error(are_stops_refused() ? "Mono ends the program" : "Mono could not be stopped for it");
}

// Each time takes a collection of the nursery.
Stop stop_when_collector_rests(WorkOfCopy& work) {
  constexpr long kMillisecond = 1'000'000, kFirstNap = 2 * kMillisecond, kLongestNap = 100 * kMillisecond;
  constexpr int kMostTries = 60;
  long nap = kFirstNap;
  for (int tries = 0; tries < kMostTries; ++tries) {
    const Stop stop = do_while_stopped(work);
    if (stop.counter == 0 || !work.is_busy()) return stop;
    const timespec time{0, nap};
    nanosleep(&time, nullptr);
    nap = std::min(nap * 2, kLongestNap);
  }
  return {};
}

void take_times(const Stop& stop, OwnedHeap& heap) {
  heap.counter = stop.counter;
  heap.frozen_ns = stop.frozen_ns;
}

// Leaves in `obstacle` why no copy could be made.
Status walk_in_copy(WorkOfCopy& work, const FoundHeap& found, OwnedHeap& heap, std::string& obstacle) {
  if (!work.has_memory()) return Status::error("out of memory");
  const Stop stop = stop_when_collector_rests(work);
  if (work.is_busy()) return obstacle = "the collector's own threads did not rest", Status::ok();
  if (stop.counter == 0) return not_stopped();
  take_times(stop, heap);
  if (work.error() != 0) return obstacle = why_not_copied(work.error()), Status::ok();
  bool is_stuck = false;
  const std::string ended = work.wait(is_stuck);
  if (is_stuck) return obstacle = "the walk did not come to its end in it", Status::ok();
  return ended.empty() ? status_of(found) : Status::error(ended);
}

Status walk_in_process(WorkInProcess& work, const FoundHeap& found, uint64_t size, OwnedHeap& heap) {
  if (const std::string why = obstacle_to_stopped_walk(size); !why.empty()) return Status::error(why);
  if (!work.has_memory()) return Status::error("out of memory");
  const Stop stop = do_while_stopped(work);
  if (stop.counter == 0) return not_stopped();
  take_times(stop, heap);
  if (found.outcome == CopyOutcome::kTooLong) stopped_walk_took_too_long(size);
  return status_of(found);
}

}  // namespace

void prepare_snapshots() {
  MonoProfilerDesc* const profiler = api.mono_profiler_create(nullptr);
  hear_of_roots(profiler);
  hear_of_stops(profiler);
}

Status take_snapshot(Runtime& runtime, const oriel_heap_visitor& visitor, OwnedHeap& heap) {
  const auto size = static_cast<uint64_t>(api.mono_gc_get_heap_size());
  const uint32_t unloads = unload::begun_so_far();
  const RootRegister roots = registered_roots();
  std::optional<PageMemory> shared(std::in_place, sizeof(FoundHeap), PageMemory::Kind::kShared);
  if (!*shared) return Status::error("out of memory");
  std::string& obstacle = heap.why_not_copied = obstacle_to_copy(size);
  Status status = Status::ok();
  if (obstacle.empty()) {
    WorkOfCopy work(visitor, size, *shared->as<FoundHeap>());
    status = walk_in_copy(work, *shared->as<FoundHeap>(), heap, obstacle);
  }
  if (status && !obstacle.empty()) {
    shared.emplace(sizeof(FoundHeap), PageMemory::Kind::kShared);  // without what an attempt has left
    if (!*shared) return Status::error("out of memory");
    WorkInProcess work(visitor, size, *shared->as<FoundHeap>());
    status = walk_in_process(work, *shared->as<FoundHeap>(), size, heap);
    if (!status)
      status = Status::error("no copy of the process can be made (" + obstacle + "), and " + status.message());
  }
  if (!status) return status;
  const auto& found = *shared->as<FoundHeap>();
  heap.walked_ns = found.walked_ns;
  name_found(found, roots, unloads, runtime, heap);
  return Status::ok();
}

}  // namespace oriel::mono
