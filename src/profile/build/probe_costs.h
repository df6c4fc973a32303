// Subtracts probe costs from calls, whether logged one by one or counted in a call graph.
//
// A method's self time consists of segments from one probe of its thread to the next (modules/segments.h says why they
// cannot simply be added). The log times some short segments separately; their average, less the cost of that timing,
// is taken as the duration of each short segment of the method. Long segments count as measured. Inclusive times are
// sums of such self times, so they contain no probe costs of callees.
#pragma once

#include <cstdint>
#include <vector>

#include "log/format.h"
#include "profile/profile.h"

namespace oriel::profile {

// A segment of more ticks is long (docs/FORMAT.md).
inline constexpr uint64_t kLongSegment = 4096;

// In ticks of the log's counter, as the profiled process measured them; all 0 if not logged.
struct ProbeCosts {
  double timed = 0;       // included in a separately timed segment
  double hidden = 0;      // of this, the part that is hidden behind longer code
  double reading = 0;     // included in any other segment
  double allocation = 0;  // of an allocation probe

  bool known() const { return reading > 0; }
};

ProbeCosts probe_costs(const std::vector<Counter>& counters);

// Segments of one node's self time, in ticks.
struct OwnSegments {
  uint64_t all = 0;    // number of segments
  uint64_t ticks = 0;  // measured, without `taken`
  uint64_t timed = 0;  // number of separately timed segments
  uint64_t timed_ticks = 0;
  uint64_t longs = 0;
  uint64_t long_ticks = 0;
  uint64_t allocations = 0;  // number of allocation probes that ran in them
  uint64_t waited_ns = 0;    // of the long ones, off CPU
  uint64_t taken = 0;        // measured costs of logging, besides probes

  void add(const OwnSegments& other);
};

// Ticks of the code itself. `of_method` is the sum over all nodes of the method: its timed segments are used if the
// node has too few. If it has too few as well, the cost of an empty segment is subtracted from each.
double without_probes(const OwnSegments& node, const OwnSegments& of_method, const ProbeCosts& costs);

// Nanoseconds per tick, limited so that sums of a corrupt log, `ticks` in total, do not overflow.
double sound_rate(double ns_a_tick, double ticks);
// Sets the node's self time without probe costs in nanoseconds, and its other times.
void set_own_times(const OwnSegments& node, const OwnSegments& of_method, const ProbeCosts& costs, double ns_a_tick,
                   CallFigures& figures);

}  // namespace oriel::profile
