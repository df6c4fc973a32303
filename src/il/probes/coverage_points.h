// Coverage points of a method: its runs, and the outcomes of its branches. They are computed from the code alone, so
// that the program that counts and the tools that read about methods that never ran find the same.
//
// A run is a basic block, which is executed as a whole unless an exception interrupts it. It ends where code branches
// or is branched to. To detect an exception in the middle, it also ends after an instruction that may throw
// (may_throw.h), at the next place with an empty evaluation stack. Exceptions that may occur anywhere, such as out of
// memory, are not detected.
#pragma once

#include <cstdint>
#include <vector>

#include "il/body.h"
#include "il/stack.h"

namespace oriel::il {

struct CoveragePoint {
  enum class Kind : uint8_t { kRun, kOutcome };
  Kind kind = Kind::kRun;
  uint32_t il = 0;       // kRun: original offset of its start; kOutcome: that of the branch or switch
  uint32_t outcome = 0;  // kOutcome: 0 taken, or case 0; 1 the next case, …; the last one: it fell through
  uint32_t counter = 0;  // number within the method; points that are counted together share it
  bool operator==(const CoveragePoint&) const = default;
};

// Ascending by `il`, a run before the outcomes at the same offset. An offset was executed as often as the last run that
// starts at or before it. Cases of one switch with the same target are counted together, and an outcome by the run that
// it leads to if nothing else leads there. For a body as decoded, before any change; numbers it. Empty if links are
// invalid (check_links). If `facts` lack the effect of a call, runs end only at branches.
std::vector<CoveragePoint> coverage_points(Body& body, const MethodFacts& facts);

// The number of counters that they need.
uint32_t counters_of(const std::vector<CoveragePoint>& points);

}  // namespace oriel::il
