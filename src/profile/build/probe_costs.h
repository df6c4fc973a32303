// Takes out of calls what the probes cost that timed them, be they logged one by one or counted in a call graph.
//
// A method's own time passes in segments, from one probe of its thread to the next (module/segments.h says why they
// cannot simply be added up). Of short ones the log has timed a few apart: their average, less what that itself cost,
// is what each of the method's short segments took. Long ones are what was measured. A method's time with what it calls
// is the sum of such own times, so that no probe of any callee is left in it.
#pragma once

#include <cstdint>
#include <vector>

#include "log/format.h"
#include "profile/profile.h"

namespace oriel::profile {

// More ticks than these are a long segment (docs/FORMAT.md).
inline constexpr uint64_t kLongSegment = 4096;

// In ticks of the log's counter, as the profiled process measured it; all 0 if the log does not tell.
struct ProbeCosts {
  double timed = 0;       // in what a segment that was timed apart took
  double hidden = 0;      // of this, what passes while longer code runs
  double reading = 0;     // in what any other segment took
  double allocation = 0;  // an allocation's probe

  bool known() const { return reading > 0; }
};

ProbeCosts probe_costs(const std::vector<log::Counter>& counters);

// How the time of one node's own code passed, in ticks.
struct OwnSegments {
  uint64_t all = 0;    // segments
  uint64_t ticks = 0;  // as measured, without `taken`
  uint64_t timed = 0;  // those that were timed apart
  uint64_t timed_ticks = 0;
  uint64_t longs = 0;
  uint64_t long_ticks = 0;
  uint64_t allocations = 0;  // probes of these ran in them
  uint64_t waited_ns = 0;    // of the long ones, without a processor
  uint64_t taken = 0;        // what logging took besides, as it told itself

  void add(const OwnSegments& other);
};

// What the code itself took, in ticks. `of_method` adds up all nodes of the method: where the node itself has few timed
// segments, theirs are taken; where these too are few, what an empty segment takes is taken off each.
double without_probes(const OwnSegments& node, const OwnSegments& of_method, const ProbeCosts& costs);

// Nanoseconds a tick, at most what keeps the sums of a corrupt log's claims, `ticks` in all, from overflowing.
double sound_rate(double ns_a_tick, double ticks);
// The same in nanoseconds, and what else is known of the node's own time.
void set_own_times(const OwnSegments& node, const OwnSegments& of_method, const ProbeCosts& costs, double ns_a_tick,
                   CallFigures& figures);

}  // namespace oriel::profile
