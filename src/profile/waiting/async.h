// Totals of async methods and awaits.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

struct AsyncMethod {
  uint32_t function = 0;  // index into functions
  uint64_t calls = 0;
  uint64_t timed = 0;      // of these, with a known start
  uint64_t failed = 0;     // ended by an exception that is not a cancellation
  uint64_t cancelled = 0;  // ended by an exception of cancellation
  uint64_t open = 0;       // still pending at the end of the log
  int64_t ns = 0;          // from start to completion, or to the end of the log, of the timed ones
  int64_t longest_ns = 0;
  int64_t ran_ns = 0;  // on threads
  int64_t awaited_ns = 0;
  int64_t average_ns() const { return timed == 0 ? 0 : ns / static_cast<int64_t>(timed); }
};

// Awaits at one place in code.
struct AwaitPlace {
  uint32_t node = 0;  // of the longest await: index into nodes
  uint64_t times = 0;
  int64_t ns = 0;  // of all; pending ones count up to the end of the log
  int64_t longest_ns = 0;
  uint64_t open = 0;      // still pending at the end of the log
  bool of_calls = false;  // they await async methods that are logged too, whose own awaits are more precise
};

// By time, descending.
std::vector<AsyncMethod> async_methods(const Profile& profile);
std::vector<AwaitPlace> await_places(const Profile& profile);

// Async calls that were suspended and not yet completed.
struct InFlight {
  std::vector<uint32_t> most;  // peak in each of equal parts of the run
  uint32_t at_end = 0;
};
InFlight in_flight(const Profile& profile, uint32_t parts);

}  // namespace oriel::profile
