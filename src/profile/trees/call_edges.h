// Who calls whom, and a call tree in which recursion is folded up: views of calls, which a profile keeps each where it
// is.
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

// Ways of calls, as Profile has them: call_nodes, call_figures and allocations.
struct CallWays {
  std::vector<Node> nodes;
  std::vector<CallFigures> figures;
  std::vector<Allocations> allocations;
};
// A node whose method is one of those above it becomes one with the nearest of these, and its callees that one's.
CallWays without_recursion(const Profile& profile);

// How many calls the deepest way holds.
size_t depth_of(const std::vector<Node>& call_nodes);

}  // namespace oriel::profile
