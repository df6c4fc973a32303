// Load balance of parallel loops.
#pragma once

#include <cstdint>

#include "profile/profile.h"

namespace oriel::profile {

// All loops of Parallel and PLINQ together.
struct ParallelLoops {
  int64_t ns = 0;          // time in which any thread ran in a loop
  int64_t alone_ns = 0;    // of it, time in which one thread ran and another thread of a loop waited for work
  uint32_t alone_own = 0;  // index into nodes: the own place nearest to most work of that one thread
};
ParallelLoops parallel_loops(const Profile& profile);

}  // namespace oriel::profile
