// Counters of a method that are sums of its other counters and need no probe.
//
// A run is entered by outcomes of branches, which are counted anyway, and by runs without a branch at their end. A run
// that branches at its end continues in one of the outcomes, unless an exception occurs. Differences are not used: a
// reader sees the counters of running code at different moments, and code that never ran could appear to have run.
#pragma once

#include <cstdint>
#include <vector>

#include "il/body.h"
#include "il/probes/coverage_points.h"
#include "il/stack.h"

namespace oriel::il {

// A counter that equals the sum of these; one may occur twice. None of them is a sum itself.
struct CounterSum {
  uint32_t counter = 0;
  std::vector<uint32_t> of;
  bool operator==(const CounterSum&) const = default;
};

// Ascending by counter. `points` are those of this body, unchanged since; numbers it.
std::vector<CounterSum> coverage_sums(Body& body, const MethodFacts& facts, const std::vector<CoveragePoint>& points);

}  // namespace oriel::il
