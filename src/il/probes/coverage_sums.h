// Which counts of a method follow from its other counts, so that no code need count them.
//
// What leads to a run are ways of branches, which are counted anyway, and runs without a branch at their end; and a run
// that branches at its end goes on in one of its ways, unless an exception comes between. Differences would do as well,
// but who reads while code counts sees counters of different moments, and code that never ran would seem to have run.
#pragma once

#include <cstdint>
#include <vector>

#include "il/body.h"
#include "il/probes/coverage_points.h"
#include "il/stack.h"

namespace oriel::il {

// A counter that is as high as these together; one may be among them twice. None of them is a sum itself.
struct CounterSum {
  uint32_t counter = 0;
  std::vector<uint32_t> of;
  bool operator==(const CounterSum&) const = default;
};

// By rising counter. `points` are those of this body, which has had no change since; numbers it.
std::vector<CounterSum> coverage_sums(Body& body, const MethodFacts& facts, const std::vector<CoveragePoint>& points);

}  // namespace oriel::il
