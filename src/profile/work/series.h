// What counters told, as figures.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// Of one counter. Of a total all but the last are per second: the mean of all the time of which it tells, least and
// most of a twentieth of the run or half a second.
struct SeriesFigures {
  double least = 0;
  double mean = 0;
  double most = 0;
  double last = 0;
  std::vector<double> parts;  // over the run, in parts of one length; of a total 0 where nothing is known
};
// Of what has points.
SeriesFigures figures(const CounterSeries& series, const Profile& profile, uint32_t parts);

// What the log tells without meters, as series: the processor time and the greatest memory of the process, the heap
// after each collection, the time of pauses. None of a log of several processes.
std::vector<CounterSeries> process_series(const Profile& profile);

}  // namespace oriel::profile
