// Time of exception handling by exception type.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// The throwing method of a stack that an exception was thrown on: the innermost own method, else the innermost managed
// one that is not a throw helper. Returns `stack` or one of its callers.
uint32_t throwing_node(const Profile& profile, uint32_t stack);

struct ExceptionCosts {
  uint64_t periods = 0;           // in total
  std::vector<uint64_t> by_type;  // by index of Profile::exceptions: known to be for that type
};

// From the throw until the catch block runs, without the program's own filters and finally blocks. Where several types
// are thrown at one place, its samples are divided in proportion to their counts.
ExceptionCosts exception_costs(const Profile& profile);

}  // namespace oriel::profile
