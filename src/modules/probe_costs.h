// The cost of the probes themselves, measured in the process by calling their callbacks.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "log/format.h"
#include "oriel/oriel.h"

namespace oriel::modules {

// In ticks, the minimum of several tries.
struct ProbeCosts {
  double timed = 0;       // an empty segment that is timed separately (segments.h)
  double hidden = 0;      // the part of it that overlaps with longer code
  double reading = 0;     // an empty segment that is not timed separately
  double allocation = 0;  // an allocation's probe
};

// What a module provides for this: its callbacks, with which the measuring thread counts into a separate record.
struct ProbesToMeasure {
  // Pairs of calls around `code`, often enough; returns the average measured ticks of the code's segment, timed
  // separately or not.
  std::function<double(bool timed, uint64_t (*code)(uint64_t))> segment;
  // For one allocation; empty if none are observed.
  std::function<double()> allocation;
};

// A module's callbacks, with stand-ins for the profiler and the method.
struct CallProbes {
  void (*enter)(oriel_profiler*, oriel_method*, const void*);
  void (*leave)(oriel_profiler*, oriel_method*, const void*);
  oriel_profiler* profiler;
  oriel_method* method;
};
inline constexpr int kCallsToMeasure = 200;
// Makes so many calls of `code`, each between two probes as in instrumented code.
void call_with_probes(const CallProbes& probes, uint64_t (*code)(uint64_t));

// Takes less than a millisecond on the calling thread.
ProbeCosts measure(const ProbesToMeasure& probes);
// The cheaper of two measurements; the first may be empty.
ProbeCosts least(const ProbeCosts& a, const ProbeCosts& b);
// As counters of the log (log/properties.def).
std::vector<log::Counter> counters_of(const ProbeCosts& costs);

}  // namespace oriel::modules
