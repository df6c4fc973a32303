// Summary figures of counters over time.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// For a running total, all but `last` are rates per second: `mean` over all the time it covers, `least` and `most` over
// intervals of a twentieth of the run or half a second, whichever is shorter.
struct SeriesFigures {
  double least = 0;
  double mean = 0;
  double most = 0;
  double last = 0;
  std::vector<double> parts;  // over the run, in intervals of equal length; for a total, 0 where nothing is known
};
// The series must have points.
SeriesFigures figures(const CounterSeries& series, const Profile& profile, uint32_t parts);

// Series from the log's own data: CPU time and peak memory of the process, heap size after each collection, paused
// time. Empty for a profile of several processes.
std::vector<CounterSeries> process_series(const Profile& profile);

}  // namespace oriel::profile
