// Processor resources: how many the program could use, and how long it was denied them.
#pragma once

#include <cstdint>
#include <string_view>

#include "profile/profile.h"

namespace oriel::profile {

// Values are 0 if the log does not say, unless noted.
struct Processors {
  uint64_t machine = 0;
  uint64_t usable = 0;       // of these, on which the process may run
  double limit = 0;          // CPU limit of the control group (container), in processors; 0 if none
  int64_t ready_ns = 0;      // run-queue delay: threads were ready to run without a processor; sum of all threads
  uint64_t periods = 0;      // enforcement periods of the limit
  uint64_t throttled = 0;    // of these, throttled
  int64_t throttled_ns = 0;  // sum over all processors
  int64_t stolen_ns = 0;     // stolen by the hypervisor, sum over all processors

  double most() const {  // processors that the program could use
    const auto all = static_cast<double>(usable > 0 ? usable : machine);
    return limit > 0 && (limit < all || all == 0) ? limit : all;
  }
};

Processors processors_of(const Profile& profile);

// The value of a counter of `unit` nanoseconds, in nanoseconds, capped so that sums do not overflow.
int64_t time_counted(const Profile& profile, std::string_view name, uint64_t unit = 1);

}  // namespace oriel::profile
