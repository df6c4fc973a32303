// The log module's callbacks: what the program's threads do with an event or a sample. Only appends to buffers.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>

#include "module/method_filter.h"
#include "module/method_set.h"
#include "module/probe_costs.h"
#include "module/worker.h"
#include "options.h"
#include "oriel/oriel.h"
#include "sample_rings.h"

namespace oriel::logging {

struct Recorder {
  SampleRings rings;
  std::atomic<uint64_t> events_lost{0};
  // An exception was thrown, which may be the program's last word: what there is should be written soon.
  std::atomic<bool> urgent{false};
  std::atomic<uint64_t> gc_paused_ns{0};  // how long collections have stopped the program
  modules::Worker* writer = nullptr;
  // Which methods' calls are wanted, of which async ones the awaits, and in which methods' code allocations are;
  // nullptr: none.
  std::unique_ptr<modules::MethodFilter> calls;
  std::unique_ptr<modules::MethodFilter> async;
  std::unique_ptr<modules::MethodFilter> allocations;
  bool all_samples = false;                // of allocations, also of objects that are not followed
  bool exception_stacks = false;           // exceptions are logged with their stacks, a part of them
  uint32_t call_probes = ORIEL_CALLS_ALL;  // what the methods wanted get
  // Those that these filters chose: others' methods are heard too, and not logged.
  modules::MethodSet calls_chosen;
  modules::MethodSet async_chosen;
  modules::MethodSet allocations_chosen;
};

// Makes `profiler` listen to the events whose numbers are set.
void listen(oriel_profiler_handle profiler, const EventSet& events);
// And to the ends of waits for locks. Any thread.
void listen_to_locks(oriel_profiler_handle profiler);
// And to how collections go. Any thread.
void listen_to_phases(oriel_profiler_handle profiler);
// And to sampled allocations, or no longer; how long objects live that were told before it hears on. Any thread.
void listen_to_allocations(oriel_profiler_handle profiler, bool on);
// What phases add to the events.
EventSet with_phases(EventSet events);
// As to allocations that are logged one by one: each with its stack.
void listen_with_stacks(oriel_profiler_handle profiler);
// Has the methods that `recorder` of `profiler` wants instrumented.
void set_filters(oriel_profiler_handle profiler, const Recorder& recorder);
// Has `profiler`, which is to listen to nothing else, tell the call buffers when the runtime stops its threads.
void watch_suspensions(oriel_profiler_handle profiler);
// What the probes of calls cost, as of `method`, and those of objects of `klass`, unless that is nullptr: without
// stacks. May throw std::bad_alloc. Any thread but one that logs calls.
modules::ProbeCosts measure_costs(oriel_method* method, oriel_class* klass);
// Takes every callback away again, filters too, but for the cleanup.
void stop_listening(oriel_profiler_handle profiler);

}  // namespace oriel::logging

// What the engine passes back to the callbacks.
struct oriel_profiler {
  oriel::logging::Recorder recorder;
};
