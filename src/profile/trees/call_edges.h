// Who calls whom, and a call tree in which recursion is folded up: views of a CallLog, which keeps each call where it
// is.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// All calls that one method makes to another.
struct CallEdge {
  uint32_t caller = 0;  // indexes into functions; 0: outside of what is counted
  uint32_t callee = 0;
  uint64_t calls = 0;
  int64_t ns = 0;         // of the callee with what it calls; recursion counts once
  bool recursive = true;  // each of these calls was made while the callee already ran: their time is in that call's
};

// Most time first, then most calls.
std::vector<CallEdge> call_edges(const Profile& profile);

// A node whose method is one of those above it becomes one with the nearest of these, and its callees that one's.
CallLog without_recursion(const CallLog& calls);

// How many calls the deepest way holds.
size_t depth_of(const CallLog& calls);

}  // namespace oriel::profile
