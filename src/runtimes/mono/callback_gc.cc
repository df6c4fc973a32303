// Collections. From POST_STOP_WORLD to PRE_START_WORLD other threads are stopped wherever they are, and may hold any
// lock: nothing here locks or asks Mono for more than an object's own words.
#include <atomic>
#include <utility>

#include "base/clock.h"
#include "runtimes/mono/callbacks.h"
#include "runtimes/mono/followed.h"
#include "runtimes/mono/things.h"
#include "runtimes/mono/thread_state.h"
#include "runtimes/mono/weak_handles.h"

namespace oriel::mono {
namespace {

// Mono holds its own lock from before a stop until after the start, so stops are serial, but a concurrent collection of
// the old generation lasts from one stop to another, with collections of the nursery between.
constexpr uint32_t kGenerations = 2;
constinit std::atomic<uint32_t> collections{0};
constinit std::atomic<uint32_t> numbers[kGenerations];  // of the last collection of each
constinit std::atomic<uint64_t> stopping_since{0};
constinit std::atomic<bool> ended{false}, ended_old{false};  // any, or one of the old generation, in this stop

std::atomic<uint32_t>& number_of(uint32_t generation) { return numbers[generation == 0 ? 0 : 1]; }

void raise_phase(oriel_gc_event phase, uint32_t generation, Bool is_serial) {
  // Mono calls a collection of the nursery not serial, though the program waits for all of it.
  raise_gc_event(phase, generation, generation == 0 || is_serial != 0);
}

// Mono tells the size of the whole heap only. What is in use of it cannot be asked inside a collection: that deadlocks.
void raise_size(uint32_t number) {
  if (!is_wanted(oriel_event_gc_heap)) return;
  const auto all = static_cast<uint64_t>(api.mono_gc_get_heap_size());
  raise_gc_heap(number, uint64_t{0}, all, uint64_t{0}, uint64_t{0}, uint64_t{0}, uint64_t{0});
}

// At a collection's begin and end Mono says instead whether it is concurrent.
void collection_begins(uint32_t generation, Bool is_concurrent) {
  const uint32_t number = collections.fetch_add(1, std::memory_order_relaxed) + 1;
  number_of(generation).store(number, std::memory_order_relaxed);
  raise_gc_begin(number, generation, ORIEL_GC_REASON_OTHER);
  raise_phase(ORIEL_GC_START, generation, is_concurrent == 0);
}

void collection_ends(uint32_t generation, Bool is_concurrent) {
  raise_phase(ORIEL_GC_END, generation, is_concurrent == 0);
  raise_size(number_of(generation).load(std::memory_order_relaxed));
  raise_gc_end(number_of(generation).load(std::memory_order_relaxed), generation);
  ended.store(true);
  if (generation != 0) ended_old.store(true);
}

void stop_begins(uint32_t generation, Bool is_serial) {
  stopping_since.store(clock_monotonic_ns(), std::memory_order_relaxed);
  raise_suspend_begin(ORIEL_SUSPEND_GC);
  raise_phase(ORIEL_GC_PRE_STOP_WORLD, generation, is_serial);
}

void program_runs(uint32_t generation, Bool is_serial) {
  const uint64_t since = stopping_since.load(std::memory_order_relaxed);
  raise_phase(ORIEL_GC_POST_START_WORLD, generation, is_serial);
  raise_resume_end(ORIEL_SUSPEND_GC, clock_monotonic_ns() - since);
  if (!ended.exchange(false)) return;
  const bool all = ended_old.exchange(false);
  if (look_after_collection(all)) return;
  ended.store(true);
  if (all) ended_old.store(true);
}

const void* handle_address(uint32_t handle) { return reinterpret_cast<const void*>(uintptr_t{handle}); }

}  // namespace

void on_gc_event(MonoProfiler*, uint32_t event, uint32_t generation, Bool is_serial) {
  guarded([&] {
    switch (event) {
      case kGcPreStopWorld:
        return stop_begins(generation, is_serial);
      case kGcPostStopWorld:
        raise_suspend_end(ORIEL_SUSPEND_GC);
        return raise_phase(ORIEL_GC_POST_STOP_WORLD, generation, is_serial);
      case kGcStart:
        return collection_begins(generation, is_serial);
      case kGcEnd:
        return collection_ends(generation, is_serial);
      case kGcPreStartWorld:
        raise_phase(ORIEL_GC_PRE_START_WORLD, generation, is_serial);
        return raise_resume_begin(ORIEL_SUSPEND_GC);
      case kGcPostStartWorld:
        return program_runs(generation, is_serial);
      default:
        return;
    }
  });
}

// Pairs: where an object was, and where it is now.
void on_gc_moves(MonoProfiler*, MonoObject* const* objects, uint64_t count) {
  guarded([&] {
    for (uint64_t i = 0; i + 1 < count; i += 2)
      raise_gc_moves(static_cast<const void*>(objects[i]), static_cast<const void*>(objects[i + 1]),
                     uint64_t{api.mono_object_get_size(objects[i + 1])});
  });
}

void on_gc_handle_created(MonoProfiler*, uint32_t handle, uint32_t, MonoObject* object) {
  if (is_own_handle()) return;
  guarded([&] { raise_gc_handle_created(handle_address(handle), record_of(class_of(object))); });
}
void on_gc_handle_deleted(MonoProfiler*, uint32_t handle, uint32_t) {
  if (is_own_handle()) return;
  guarded([&] { raise_gc_handle_deleted(handle_address(handle)); });
}

void on_gc_finalizing(MonoProfiler*) {
  guarded([&] {
    if (ThreadState* const own = thread_state()) own->finalized = 0;
    raise_gc_finalizing();
  });
}
void on_gc_finalized(MonoProfiler*) {
  guarded([&] {
    ThreadState* const own = thread_state();
    raise_gc_finalized(own ? own->finalized : 0);
  });
}
void on_gc_finalizing_object(MonoProfiler*, MonoObject* object) {
  guarded([&] {
    if (ThreadState* const own = thread_state()) own->finalized++;
    raise_gc_finalizing_object(record_of(class_of(object)));
  });
}

}  // namespace oriel::mono
