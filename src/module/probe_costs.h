// What the probes themselves cost, measured in the process by calling what they call.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "log/format.h"
#include "oriel/oriel.h"

namespace oriel::modules {

// In ticks, of the cheapest of several tries.
struct ProbeCosts {
  double timed = 0;       // a segment of no code that is timed apart (segments.h)
  double hidden = 0;      // how much of that passes while longer code runs
  double reading = 0;     // a segment of no code that is not timed apart
  double allocation = 0;  // an allocation's probe
};

// What a module has for this: its own callbacks, by which the thread that measures counts into a record of its own.
struct ProbesToMeasure {
  // Pairs of calls around `code`, often enough; returns the average of the ticks that the code's segment seemed to
  // take, timed apart or not.
  std::function<double(bool timed, uint64_t (*code)(uint64_t))> segment;
  // Of one allocation; empty if none are heard.
  std::function<double()> allocation;
};

// Callbacks of a module, with what stands for the profiler and the method.
struct CallProbes {
  void (*enter)(oriel_profiler*, oriel_method*, const void*);
  void (*leave)(oriel_profiler*, oriel_method*, const void*);
  oriel_profiler* profiler;
  oriel_method* method;
};
inline constexpr int kCallsToMeasure = 200;
// Makes so many calls of `code`, each between two probes as instrumented code has them.
void call_with_probes(const CallProbes& probes, uint64_t (*code)(uint64_t));

// Takes less than a millisecond of the calling thread.
ProbeCosts measure(const ProbesToMeasure& probes);
// The cheaper of two measurements, of which the first may be none yet.
ProbeCosts least(const ProbeCosts& a, const ProbeCosts& b);
// As the log tells them (log/properties.def).
std::vector<log::Counter> counters_of(const ProbeCosts& costs);

}  // namespace oriel::modules
