// The logged stacks on which objects were allocated, as ways in the tree of calls: weight.h and the reports then read
// them as they do logged calls.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// Adds to a profile's calls the stacks that it is asked for. The profile's own nodes must be there.
class AllocationStacks {
 public:
  explicit AllocationStacks(Profile& profile) : profile_(profile) {}

  // The node of CallLog::nodes for the stack whose leaf is that of Profile::nodes.
  uint32_t in_calls(uint32_t stack);

  // The method that allocates: the innermost managed function. 0 if there is none.
  uint32_t site_of(uint32_t stack) const;

 private:
  Profile& profile_;
  std::vector<uint32_t> known_;  // by stack; 0: not added yet
};

}  // namespace oriel::profile
