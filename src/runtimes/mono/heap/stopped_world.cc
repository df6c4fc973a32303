#include "runtimes/mono/heap/stopped_world.h"

#include <pthread.h>
#include <unistd.h>

#include <atomic>

#include "base/clock.h"
#include "runtimes/mono/callbacks.h"
#include "runtimes/mono/functions.h"
#include "runtimes/mono/heap/root_register.h"

namespace oriel::mono {
namespace {

using FoundRoots = void (*)(MonoProfiler*, uint64_t, const uint8_t* const*, MonoObject* const*);
using SetFoundRoots = void (*)(MonoProfilerDesc*, FoundRoots);

MonoProfilerDesc* own_profiler = nullptr;
SetFoundRoots set_found_roots = nullptr;
constinit std::atomic<bool> marking{false};
bool are_roots_heard = false;  // of the one thread that has stopped the program

// Of the one thread that stops the program: Mono tells of a collection on the thread that makes it.
struct Stopping {
  pthread_t thread;
  StoppedWork* work;
  Stop stop;
  uint64_t since = 0;
  bool is_done = false;  // a collection may be followed by another in the same stop, but is not here
};
constinit std::atomic<Stopping*> stopping{nullptr};
constinit std::atomic<bool> refused{false};

Stopping* own_stopping() {
  Stopping* const its = stopping.load(std::memory_order_acquire);
  return its != nullptr && pthread_equal(its->thread, pthread_self()) != 0 ? its : nullptr;
}

oriel_gc_roots kind_of(const RegisteredRoot& root) {
  switch (root.source) {
    case RootSource::kStack:
    case RootSource::kHandleStack:
      return ORIEL_GC_ROOTS_STACKS;
    case RootSource::kFinalizerQueue:
      return ORIEL_GC_ROOTS_FINALIZER_QUEUE;
    case RootSource::kEphemeron:
      return ORIEL_GC_ROOTS_DEPENDENT_HANDLES;
    case RootSource::kStatic:
    case RootSource::kThreadStatic:
    case RootSource::kContextStatic:
    case RootSource::kHandle:
    case RootSource::kToggleRef:
      return ORIEL_GC_ROOTS_HANDLES;
    default:
      return ORIEL_GC_ROOTS_OTHER;
  }
}

void raise_roots(uint64_t count, const uint8_t* const* places, MonoObject* const* objects) {
  const RootsWhileStopped roots;
  for (uint64_t i = 0; i < count; ++i) {
    const RegisteredRoot* const its = roots.at(reinterpret_cast<uintptr_t>(places[i]));
    raise_gc_root(static_cast<const void*>(objects[i]), its ? kind_of(*its) : ORIEL_GC_ROOTS_OTHER,
                  its != nullptr && is_pinning(*its), false, static_cast<oriel_method*>(nullptr),
                  static_cast<const void*>(nullptr));
  }
}

void on_found_roots(MonoProfiler*, uint64_t count, const uint8_t* const* places, MonoObject* const* objects) {
  guarded([&] {
    if (Stopping* const its = own_stopping()) its->work->on_roots(count, places, objects);
    if (is_wanted(oriel_event_gc_root)) raise_roots(count, places, objects);
  });
}

// While somebody hears of roots, Mono notes in the course of a collection what it needs to tell of them. So that
// begins and ends where no collection is under way: as the program has been stopped for one, and before it goes on.
void hear_of_found_roots(uint32_t event) {
  if (set_found_roots == nullptr) return;
  if (event == kGcPostStopWorld && (own_stopping() != nullptr || is_wanted(oriel_event_gc_root))) {
    set_found_roots(own_profiler, on_found_roots);
    are_roots_heard = true;
  } else if (event == kGcPreStartWorld && are_roots_heard) {
    set_found_roots(own_profiler, nullptr);
    are_roots_heard = false;
  }
}

void on_stopping_event(uint32_t event) {
  Stopping* const its = own_stopping();
  if (its == nullptr) return;
  if (event == kGcPostStopWorld) {
    its->since = clock_monotonic_ns();
    its->stop.counter = clock_counter();
  } else if (event == kGcPreStartWorld && !its->is_done) {
    its->work->run();
    its->is_done = true;
  } else if (event == kGcPostStartWorld) {
    its->stop.frozen_ns = clock_monotonic_ns() - its->since;
  }
}

// A collection of the old generation that is concurrent begins in one stop and ends in another.
void on_collector_event(MonoProfiler*, uint32_t event, uint32_t generation, Bool) {
  const KeptErrno kept;
  if (event == kGcStart && generation != 0) marking.store(true);
  if (event == kGcEnd && generation != 0) marking.store(false);
  if (event < kGcPreStopWorld) return;
  hear_of_found_roots(event);
  on_stopping_event(event);
}

}  // namespace

Stop do_while_stopped(StoppedWork& work) {
  constexpr int kNursery = 0;
  Stopping its{pthread_self(), &work, {}};
  stopping.store(&its);
  if (!refused.load()) api.mono_gc_collect(kNursery);
  stopping.store(nullptr);
  return its.is_done ? its.stop : Stop{};
}

bool refuse_stops() {
  constexpr useconds_t kNap = 1'000;
  constexpr int kMostNaps = 1'000;
  refused.store(true);
  for (int naps = 0; stopping.load() != nullptr && naps < kMostNaps; ++naps) usleep(kNap);
  return stopping.load() == nullptr;
}

bool are_stops_refused() { return refused.load(); }

bool is_marking() { return marking.load(); }

void hear_of_stops(MonoProfilerDesc* profiler) {
  own_profiler = profiler;
  set_found_roots = reinterpret_cast<SetFoundRoots>(function_named("mono_profiler_set_gc_roots_callback"));
  set_callback(profiler, "gc_event", on_collector_event);
}

}  // namespace oriel::mono
