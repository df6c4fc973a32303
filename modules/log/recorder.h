// The log module's callbacks. They run on the program's threads and only append to buffers.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>

#include "followed_types.h"
#include "modules/method_filter.h"
#include "modules/probe_costs.h"
#include "modules/worker.h"
#include "options.h"
#include "oriel/oriel.h"
#include "sample_rings.h"

namespace oriel::log_module {

// The state of the callbacks. All logs of a process share it, one at a time, and it lives as long as the process.
struct Recorder {
  SampleRings rings;
  // An exception was thrown. It may end the program, so the buffers should be written soon.
  std::atomic<bool> urgent{false};
  std::atomic<uint64_t> gc_paused_ns{0};      // total time of collections' pauses
  std::atomic<bool> all_samples{false};       // log all samples of allocations, not only those of followed objects
  std::atomic<bool> exception_stacks{false};  // log some of the exceptions with stacks
  std::atomic<uint32_t> call_probes{ORIEL_CALLS_ALL};  // the probes of chosen methods
  // The methods whose calls are logged, the async methods whose awaits are logged, and the methods in whose code
  // allocations are logged. Callbacks also hear of other methods, and ignore them.
  modules::ChosenMethods calls, async, allocations;
  FollowedTypes followed;
  // For a budget.
  std::atomic<bool> counts_time{false};
  std::atomic<uint64_t> spent_ns{0};  // in callbacks, while they are counted
  std::atomic<uint32_t> pace{1000};   // thousandths of what is usual
  std::mutex lock;                    // guards `writer`
  modules::Worker* writer = nullptr;  // the current log's; nullptr: there is no log
};

// Installs or removes the callbacks of these events. Any thread.
void listen(oriel_profiler_handle profiler, const EventSet& events);
void stop_listening(oriel_profiler_handle profiler, const EventSet& events);
// Makes each logged allocation have its stack, where allocations are logged one by one.
void listen_with_stacks(oriel_profiler_handle profiler);
// The events, and those of the collections' phases.
EventSet with_phases(EventSet events);
// Installs the filters of methods. The engine then asks them about all methods again, and soon changes their code.
void set_filters(oriel_profiler_handle profiler, const Recorder& recorder);
// Makes `profiler`, which must have no other callbacks, report suspensions of the runtime's threads to the call
// buffers.
void watch_suspensions(oriel_profiler_handle profiler);
// Measures the cost of calls' probes with `method`, and of allocations' probes without stacks with `klass`, unless that
// is nullptr. May throw std::bad_alloc. Any thread that logs no calls.
modules::ProbeCosts measure_costs(oriel_method* method, oriel_class* klass);

}  // namespace oriel::log_module

// The engine passes this to the callbacks.
struct oriel_profiler {
  oriel::log_module::Recorder recorder;
};
