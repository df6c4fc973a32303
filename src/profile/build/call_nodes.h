// Turns summed calls and allocations (calls.h) into those of a profile: without what probes took (probe_costs.h), with
// names, and with time instead of counters.
#pragma once

#include <vector>

#include "log/sample_index.h"
#include "profile/build/calls.h"
#include "profile/build/clock_map.h"
#include "profile/build/names.h"
#include "profile/build/probe_costs.h"
#include "profile/functions.h"
#include "profile/profile.h"

namespace oriel::profile {

// All calls of a log: those of each lane, and what was passed over.
struct LoggedCalls {
  std::vector<const Calls*> lanes;
  CallTotal passed;
  log::CounterRange counters;  // from the first enter that was passed over to the log's end
};

void add_logged_calls(const LoggedCalls& calls, const Names& names, const ClockMap& clock, const ProbeCosts& costs,
                      Functions& functions, Profile& profile);

}  // namespace oriel::profile
