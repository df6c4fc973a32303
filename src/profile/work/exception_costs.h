// What throwing takes: samples in the runtime's work for exceptions, by what was thrown.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// Who threw, of a stack that an exception was thrown on: the innermost of the program's own methods, or the innermost
// at all, but for what throws for everybody. A node above or at `stack`.
uint32_t throwing_node(const Profile& profile, uint32_t stack);

struct ExceptionCosts {
  uint64_t periods = 0;           // all of it
  std::vector<uint64_t> by_type;  // in the order of Profile::exceptions: what is known to be for that type
};

// From the throw until the code that catches runs, without what filters and finally blocks of the program's own do. A
// sample below a place where several types are thrown counts to each in the proportion in which they are.
ExceptionCosts exception_costs(const Profile& profile);

}  // namespace oriel::profile
