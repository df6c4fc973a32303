// Whether the threads of parallel loops had work until their end.
#pragma once

#include <cstdint>

#include "profile/profile.h"

namespace oriel::profile {

// All loops of Parallel and of PLINQ together.
struct ParallelLoops {
  int64_t ns = 0;          // in which any thread ran in one
  int64_t alone_ns = 0;    // of these, one thread alone, while another that had run in one waited for work
  uint32_t alone_own = 0;  // index into nodes: the own place nearest to most of what that one did
};
ParallelLoops parallel_loops(const Profile& profile);

}  // namespace oriel::profile
