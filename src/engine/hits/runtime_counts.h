// Counts of a runtime that counts itself how often code runs. What it counted since the last time is added to the
// counters that profilers see, so that all else (each profiler's view, periods, the counters' file) is as with probes.
#pragma once

#include <chrono>
#include <cstdint>
#include <span>

#include "engine/things/entities.h"

namespace oriel::hits {

struct RunsAt {
  uint32_t il = 0;     // where a block begins
  uint64_t times = 0;  // that it ran since the last call
};

// For runtimes, in Runtime::collect_counts. `runs` ascends by `il` and has all blocks of the method's body; bodies of
// other instantiations may have others. Without memory for a method's counters, what it ran is lost. Any thread,
// without a lock.
void add_runs(oriel_method& method, oriel_image& image, uint32_t token, std::span<const RunsAt> runs);

// Has the runtime add what it counted of the method, or of all methods for nullptr. Any of the engine's, a module's or
// the program's threads, without a lock.
void collect_runtime_counts(oriel_method* method);

// Whether the runtime counts itself, and somebody wants to know. Then the engine's thread calls the second one now and
// then, so that a killed program's counters are in the file; that returns after which time to call it again.
bool has_runtime_counts();
std::chrono::nanoseconds collect_when_due();

}  // namespace oriel::hits
