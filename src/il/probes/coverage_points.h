// Where the coverage of a method is counted: its runs, and the outcomes of its branches. From the code alone, so that
// the program that counts and the tools that read of methods that never ran find the same.
//
// A run is code of which all was executed if its first instruction was, unless an exception came between. So a run ends
// where code branches or is branched to, and, that an exception in the middle is told, at the next place where
// the evaluation stack is empty behind an instruction that may throw (may_throw.h). What is not told: exceptions that
// may come anywhere, as for want of memory.
#pragma once

#include <cstdint>
#include <vector>

#include "il/body.h"
#include "il/stack.h"

namespace oriel::il {

struct CoveragePoint {
  enum class Kind : uint8_t { kRun, kOutcome };
  Kind kind = Kind::kRun;
  uint32_t il = 0;       // kRun: original offset where it begins; kOutcome: that of the branch or switch
  uint32_t outcome = 0;  // kOutcome: 0 the branch was taken, or case 0, 1 the next, …; the last one fell through
  uint32_t counter = 0;  // of the method's; points that are counted together have the same
  bool operator==(const CoveragePoint&) const = default;
};

// By rising `il`, a run before the outcomes at the same. What is at an offset was executed as often as the run with the
// greatest `il` not above it. Cases of one switch that go to the same place are counted together, and an outcome by the
// run that it leads to if nothing else leads there. Of a body as decoded, before any change; numbers it. Nothing of one
// whose links are not good (check_links). Where `facts` do not tell the effect of all calls, runs end only at branches.
std::vector<CoveragePoint> coverage_points(Body& body, const MethodFacts& facts);

// How many counters they take.
uint32_t counters_of(const std::vector<CoveragePoint>& points);

}  // namespace oriel::il
