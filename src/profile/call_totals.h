// What logged calls and allocations add up to: by method, by type, by site.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

struct MethodCalls {
  uint32_t function = 0;  // index into functions
  uint64_t calls = 0;
  uint64_t by_exception = 0;
  uint64_t running = 0;
  int64_t self_ns = 0;
  int64_t total_ns = 0;    // with what it calls: recursion counts once
  int64_t average_ns = 0;  // of a call, with what it calls
  int64_t longest_ns = 0;
};

// Every method that was called; most self time first, then most total.
std::vector<MethodCalls> method_calls(const Profile& profile);

struct AllocationTotals {
  uint32_t type = 0;  // indexes into functions
  uint32_t site = 0;  // 0: not known; of totals by type, always
  uint64_t objects = 0;
  uint64_t bytes = 0;
  uint64_t samples = 0;  // from which both are estimated; 0: each object was logged
};

// Most bytes first, then most objects.
std::vector<AllocationTotals> allocations_by_type(const Profile& profile);
std::vector<AllocationTotals> allocations_by_site(const Profile& profile);

// Over all that the filter has kept.
struct CallSums {
  uint64_t calls = 0;
  int64_t self_ns = 0;  // of all methods: the time of the threads' outermost calls
  uint64_t running = 0;
  uint64_t objects = 0;
  uint64_t bytes = 0;
  uint64_t allocation_samples = 0;  // from which both are estimated; 0: each object was logged
};
CallSums sum_calls(const Profile& profile);

}  // namespace oriel::profile
