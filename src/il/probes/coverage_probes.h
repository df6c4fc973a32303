// Probes that count coverage: at the start of each run, and on each outcome of a branch that has its own counter.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "il/body.h"
#include "il/probes/coverage_points.h"

namespace oriel::il {

// The kind of the probes.
struct CoverageProbes {
  // If `hits` is not 0: a probe stores a byte, 1, at `hits` + n, unless it is there already.
  uint64_t hits = 0;
  // Which counters have probes; empty: all.
  std::function<bool(uint32_t counter)> needs = {};
  // Otherwise the method gets its thread's counters once, when it starts, and each probe adds 1 to the 8 bytes at that
  // address + `first_counter` + coverage_file::bytes_behind(n).
  uint64_t counters_of_thread = 0;  // a function: native int ()
  uint32_t call_signature = 0;      // its StandAloneSig
  uint16_t counters_local = 0;      // a new local variable, native int
  int32_t first_counter = 0;
};

// `points` are those of this body, unchanged since.
void insert_coverage_probes(Body& body, const std::vector<CoveragePoint>& points, const CoverageProbes& probes);

}  // namespace oriel::il
