// The log module's callbacks: what the program's threads do with an event or a sample. Only appends to buffers.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "modules/method_filter.h"
#include "modules/probe_costs.h"
#include "modules/worker.h"
#include "options.h"
#include "oriel/oriel.h"
#include "sample_rings.h"

namespace oriel::log_module {

// What the callbacks of all logs of a process work with, one log at a time. Lives as long as the process.
struct Recorder {
  SampleRings rings;
  std::atomic<uint64_t> events_lost{0};
  // An exception was thrown, which may be the program's last word: what there is should be written soon.
  std::atomic<bool> urgent{false};
  std::atomic<uint64_t> gc_paused_ns{0};               // how long collections have stopped the program
  std::atomic<bool> all_samples{false};                // of allocations, also of objects that are not followed
  std::atomic<bool> exception_stacks{false};           // exceptions are logged with their stacks, a part of them
  std::atomic<uint32_t> call_probes{ORIEL_CALLS_ALL};  // what the methods wanted get
  // Which methods' calls are wanted, of which async ones the awaits, and in which methods' code allocations are.
  // Others' methods are heard too, and not logged.
  modules::ChosenMethods calls, async, allocations;
  std::mutex lock;                    // the next
  modules::Worker* writer = nullptr;  // of the log that is written; nullptr: none is
};

// Makes `profiler` listen to the events whose numbers are set, and no longer to such. Any thread.
void listen(oriel_profiler_handle profiler, const EventSet& events);
void stop_listening(oriel_profiler_handle profiler, const EventSet& events);
// As to allocations that are logged one by one: each with its stack.
void listen_with_stacks(oriel_profiler_handle profiler);
// What phases add to the events.
EventSet with_phases(EventSet events);
// Has the engine ask again, of all methods, which are chosen: their code is changed soon after.
void set_filters(oriel_profiler_handle profiler, const Recorder& recorder);
// Has `profiler`, which is to listen to nothing else, tell the call buffers when the runtime stops its threads.
void watch_suspensions(oriel_profiler_handle profiler);
// What the probes of calls cost, as of `method`, and those of objects of `klass`, unless that is nullptr: without
// stacks. May throw std::bad_alloc. Any thread but one that logs calls.
modules::ProbeCosts measure_costs(oriel_method* method, oriel_class* klass);

}  // namespace oriel::log_module

// What the engine passes back to the callbacks.
struct oriel_profiler {
  oriel::log_module::Recorder recorder;
};
