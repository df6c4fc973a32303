// What there was of processors: how many the program could use, and for how long it was denied them.
#pragma once

#include <cstdint>
#include <string_view>

#include "profile/profile.h"

namespace oriel::profile {

// 0 where the log does not tell, but as is said.
struct Processors {
  uint64_t machine = 0;
  double limit = 0;          // of the control group, a container's; 0: none
  int64_t ready_ns = 0;      // threads were ready to run without one, all together
  uint64_t periods = 0;      // of the limit
  uint64_t throttled = 0;    // of these, in how many the limit stopped the program
  int64_t throttled_ns = 0;  // for how long, all processors together
  int64_t stolen_ns = 0;     // for how long the machine had none of its host, likewise

  double most() const {  // that the program could use
    const auto all = static_cast<double>(machine);
    return limit > 0 && (limit < all || machine == 0) ? limit : all;
  }
};

Processors processors_of(const Profile& profile);

// In nanoseconds, a counter that is a time of `unit` nanoseconds: no more than sums of such can hold.
int64_t time_counted(const Profile& profile, std::string_view name, uint64_t unit = 1);

}  // namespace oriel::profile
