// Load balance of parallel loops.
#pragma once

#include <cstdint>

#include "profile/profile.h"

namespace oriel::profile {

// Whether it is code of Parallel or PLINQ that calls the bodies of loops.
bool is_parallel_loop(const Function& function);

// All loops of Parallel and PLINQ together.
struct ParallelLoops {
  int64_t ns = 0;          // time in which any thread was in a loop's body, of all processes
  int64_t alone_ns = 0;    // of it, time in which one thread ran there and another of the loop's threads was idle
  uint32_t alone_own = 0;  // index into nodes: the own place nearest to most work of that one thread
};
ParallelLoops parallel_loops(const Profile& profile);

}  // namespace oriel::profile
