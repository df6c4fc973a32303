// Probes that count coverage: at the begin of each run, and on each way of a branch that its run does not tell.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "il/body.h"
#include "il/probes/coverage_points.h"

namespace oriel::il {

// What a probe does.
struct CoverageProbes {
  // `hits` not 0: a store of one byte, 1, at `hits` + n, where there is none yet.
  uint64_t hits = 0;
  // Which counters have probes; none: all.
  std::function<bool(uint32_t counter)> needs = {};
  // Else the method asks once, as it begins, for its thread's counters, and each probe adds 1 to the 8 bytes at what
  // it got + `first_counter` + coverage_file::bytes_behind(n).
  uint64_t counters_of_thread = 0;  // a function: native int ()
  uint32_t call_signature = 0;      // its StandAloneSig
  uint16_t counters_local = 0;      // a new local variable, native int
  int32_t first_counter = 0;
};

// `points` are those of this body, which has had no change since.
void insert_coverage_probes(Body& body, const std::vector<CoveragePoint>& points, const CoverageProbes& probes);

}  // namespace oriel::il
