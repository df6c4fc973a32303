// What the probes themselves cost, measured in the process by calling what they call.
#pragma once

#include <cstdint>
#include <vector>

#include "log/format.h"

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
  // A pair of calls to `enter` and `leave` around `code(argument)`, often enough; returns the average of the ticks that
  // the code's segment seemed to take, timed apart or not.
  double (*segment)(bool timed, uint64_t (*code)(uint64_t), uint64_t argument);
  // Of one allocation; nullptr if none are heard.
  double (*allocation)();
};

// Takes less than a millisecond of the calling thread.
ProbeCosts measure(const ProbesToMeasure& probes);
// The cheaper of two measurements.
ProbeCosts least(const ProbeCosts& a, const ProbeCosts& b);
// As the log tells them (log/properties.def).
std::vector<log::Counter> counters_of(const ProbeCosts& costs);

}  // namespace oriel::modules
