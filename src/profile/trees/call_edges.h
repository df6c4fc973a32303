// Call edges, and a call tree with recursion folded, derived from CallLog.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// All calls from one method to another.
struct CallEdge {
  uint32_t caller = 0;  // indexes into functions; 0: code that is not counted
  uint32_t callee = 0;
  uint64_t calls = 0;
  int64_t ns = 0;         // inclusive time of the callee; nested recursive calls are not counted again
  bool recursive = true;  // all these calls were made while the callee already ran; their time is part of the outer
                          // call's
};

// Sorted by time, then by calls, descending.
std::vector<CallEdge> call_edges(const Profile& profile);

// Merges a node whose method is also one of its ancestors with the nearest of these, and its callees with that one's.
CallLog without_recursion(const CallLog& calls);

// Number of calls on the deepest path.
size_t depth_of(const CallLog& calls);

}  // namespace oriel::profile
