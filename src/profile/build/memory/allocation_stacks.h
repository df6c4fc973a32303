// Adds logged allocation stacks to the call tree, so that weight.h and the reports read them like logged calls.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// Adds stacks to a profile's calls on demand. The profile must have its nodes.
class AllocationStacks {
 public:
  explicit AllocationStacks(Profile& profile) : profile_(profile) {}

  // The node of Profile::call_nodes for the stack whose leaf is that of Profile::nodes.
  uint32_t in_calls(uint32_t stack);

  // The allocating method: the innermost managed function; 0 if there is none.
  uint32_t site_of(uint32_t stack) const;

 private:
  Profile& profile_;
  std::vector<uint32_t> known_;  // by leaf of Profile::nodes; 0: not added yet
};

}  // namespace oriel::profile
