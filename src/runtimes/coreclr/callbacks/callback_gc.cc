// Collections and suspensions of the program. Managed threads may be stopped here, so nothing asks the runtime for
// names.
#include "runtimes/coreclr/callbacks/callback_gc.h"

#include <unistd.h>

#include <utility>

#include "base/clock.h"
#include "base/process/thread_id.h"
#include "engine/attached.h"
#include "engine/engine.h"
#include "runtimes/coreclr/callbacks/callback.h"
#include "runtimes/coreclr/thread_state.h"

namespace oriel::coreclr {
namespace {

constexpr int32_t kGenerations = 3;  // the heaps of large and pinned objects follow in the runtime's array

oriel_suspend_reason reason_of(uint32_t reason) {
  switch (reason) {
    case kSuspendForGc:
      return ORIEL_SUSPEND_GC;
    case kSuspendForGcPrep:
      return ORIEL_SUSPEND_GC_PREPARE;
    case kSuspendForCodePitching:
      return ORIEL_SUSPEND_CODE_PITCHING;
    case kSuspendForShutdown:
      return ORIEL_SUSPEND_SHUTDOWN;
    case kSuspendForInprocDebugger:
      return ORIEL_SUSPEND_DEBUGGER;
    case kSuspendForProfiler:
      return ORIEL_SUSPEND_PROFILER;
    case kSuspendForReJit:
      return ORIEL_SUSPEND_REJIT;
    default:
      return ORIEL_SUSPEND_OTHER;
  }
}

// Raises a phase of the collection that the current suspension is for, if it is for one. Between its two pauses a
// background collection runs beside the program.
void raise_phase(oriel_gc_event phase, const GcState::Suspension& suspension) {
  constexpr uint32_t kOldest = kGenerations - 1;
  if (suspension.reason == kSuspendForGc) raise_gc_event(phase, suspension.generation, true);
  if (suspension.reason == kSuspendForGcPrep) raise_gc_event(phase, kOldest, false);
}

}  // namespace

GcState::Collection GcState::begin(uint32_t generation) {
  const uint32_t number = count_.fetch_add(1, std::memory_order_relaxed) + 1;
  const Collection begun = {number, generation};
  std::atomic<Collection>& first = running_[0];
  std::atomic<Collection>& second = running_[1];
  // With three running, the end of one was missed.
  if (const Collection before = second.load(std::memory_order_relaxed); before.number != 0)
    first.store(before, std::memory_order_relaxed);
  const bool alone = first.load(std::memory_order_relaxed).number == 0;
  (alone ? first : second).store(begun, std::memory_order_relaxed);
  suspend_generation_.store(generation, std::memory_order_relaxed);
  constexpr uint32_t kOldest = 2;
  if (generation == kOldest) oldest_.store(begun, std::memory_order_relaxed);
  return begun;
}

GcState::Collection GcState::end() {
  const bool stopped_it = suspended_at_.load(std::memory_order_relaxed) != 0 &&
                          suspended_by_.load(std::memory_order_relaxed) == thread_id();
  if (!stopped_it && background_.load(std::memory_order_relaxed).number != 0) {
    const Collection background = background_.exchange({}, std::memory_order_relaxed);
    for (std::atomic<Collection>& running : running_)
      if (running.load(std::memory_order_relaxed).number == background.number)
        running.store({}, std::memory_order_relaxed);
    // The later one is in the second place, or in the first if it is alone.
    if (running_[0].load(std::memory_order_relaxed).number == 0)
      running_[0].store(running_[1].exchange({}, std::memory_order_relaxed), std::memory_order_relaxed);
    return background;
  }
  const Collection later = running_[1].exchange({}, std::memory_order_relaxed);
  return later.number != 0 ? later : running_[0].exchange({}, std::memory_order_relaxed);
}

void GcState::suspend_begin(uint32_t reason, uint64_t now_ns) {
  suspend_reason_.store(reason, std::memory_order_relaxed);
  suspend_generation_.store(0, std::memory_order_relaxed);
  suspended_at_.store(now_ns, std::memory_order_relaxed);
  suspended_by_.store(thread_id(), std::memory_order_relaxed);
  if (reason == kSuspendForGcPrep) background_.store(oldest_.exchange({}, std::memory_order_relaxed));
}

GcState::Suspension GcState::suspension() const {
  return {suspend_reason_.load(std::memory_order_relaxed), suspend_generation_.load(std::memory_order_relaxed),
          suspended_at_.load(std::memory_order_relaxed)};
}

GcState::Suspension GcState::resume_begin() {
  const Suspension ending = suspension();
  suspended_at_.store(0, std::memory_order_relaxed);
  return ending;
}

HResult Callback::GarbageCollectionStarted(int32_t generations, Bool* collected, uint32_t reason) {
  return guarded([&] {
    uint32_t oldest = 0;
    for (int32_t i = 0; i < generations && i < kGenerations; ++i) {
      if (collected[i]) oldest = static_cast<uint32_t>(i);
    }
    const GcState::Collection collection = gc_.begin(oldest);
    const oriel_gc_reason why = reason == kGcInduced ? ORIEL_GC_REASON_INDUCED : ORIEL_GC_REASON_OTHER;
    raise_gc_begin(collection.number, collection.generation, why);
    raise_gc_event(ORIEL_GC_START, collection.generation, true);
  });
}

HResult Callback::GarbageCollectionFinished() {
  return guarded([&] {
    const GcState::Collection collection = gc_.end();
    if (collection.number == 0) return;
    raise_gc_event(ORIEL_GC_END, collection.generation, true);
    raise_heap(collection.number);
    raise_followed(collection.generation);
    raise_gc_end(collection.number, collection.generation);
  });
}

void Callback::raise_heap(uint32_t collection) {
  if (!is_wanted(oriel_event_gc_heap)) return;
  if (const std::optional<HeapSizes> sizes = heap_sizes(info(), heap_parts_))
    raise_gc_heap(collection, sizes->generations[0], sizes->generations[1], sizes->generations[2], sizes->large,
                  sizes->pinned, sizes->frozen);
}

// Listeners are called after the look, under no lock.
void Callback::raise_followed(uint32_t generation) {
  if (!adapter_->followed().is_on()) return;
  const FollowedObjects::Found found = adapter_->followed().look(generation == kGenerations - 1, clock_monotonic_ns());
  for (const uint32_t number : found.gone) raise_gc_followed_gone(number);
  if (found.part != 0) raise_gc_followed_part(found.part);
}

HResult Callback::RuntimeSuspendStarted(uint32_t reason) {
  return guarded([&] {
    gc_.suspend_begin(reason, clock_monotonic_ns());
    raise_suspend_begin(reason_of(reason));
    raise_phase(ORIEL_GC_PRE_STOP_WORLD, gc_.suspension());
  });
}

HResult Callback::RuntimeSuspendFinished() {
  return guarded([&] {
    const GcState::Suspension suspension = gc_.suspension();
    raise_suspend_end(reason_of(suspension.reason));
    raise_phase(ORIEL_GC_POST_STOP_WORLD, suspension);
  });
}

HResult Callback::RuntimeSuspendAborted() {
  return guarded([&] { raise_suspend_aborted(reason_of(gc_.suspension().reason)); });
}

HResult Callback::RuntimeResumeStarted() {
  return guarded([&] {
    const GcState::Suspension ending = gc_.resume_begin();
    if (PerThreadState* const own = per_thread_state()) own->ending = ending;
    raise_phase(ORIEL_GC_PRE_START_WORLD, ending);
    raise_resume_begin(reason_of(ending.reason));
  });
}

HResult Callback::RuntimeResumeFinished() {
  return guarded([&] {
    PerThreadState* const own = per_thread_state();
    const GcState::Suspension ending = own != nullptr ? std::exchange(own->ending, {}) : GcState::Suspension{};
    const uint64_t paused = ending.lasted(clock_monotonic_ns());
    if (ending.reason != kSuspendForGc && ending.reason != kSuspendForGcPrep) engine_stopped_program(paused);
    raise_phase(ORIEL_GC_POST_START_WORLD, ending);
    raise_resume_end(reason_of(ending.reason), paused);
  });
}

}  // namespace oriel::coreclr
