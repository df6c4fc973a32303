// The cost of the probes themselves, measured in the process by calling their callbacks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "log/format.h"
#include "oriel/oriel.h"

namespace oriel::modules {

// In ticks, the median of several tries: what a probe usually takes. The least would be what it takes at best, and the
// difference would remain in the times of short methods.
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

// The costs over time: a processor is not always as fast.
class TypicalCosts {
 public:
  // A measurement that failed, with `reading` 0, is left out.
  void add(const ProbeCosts& measured);
  // The median of the last measurements, of each cost by itself; all 0 before the first.
  ProbeCosts typical() const;

 private:
  static constexpr size_t kMost = 31;

  std::vector<ProbeCosts> last_;
  size_t added_ = 0;
};

// As counters of the log (log/properties.def).
std::vector<log::Counter> counters_of(const ProbeCosts& costs);

}  // namespace oriel::modules
