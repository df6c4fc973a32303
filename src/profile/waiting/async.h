// Async methods and awaits, added up.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

struct AsyncMethod {
  uint32_t function = 0;  // index into functions
  uint64_t calls = 0;
  uint64_t timed = 0;      // of these, those whose begin is known
  uint64_t failed = 0;     // ended by an exception,
  uint64_t cancelled = 0;  // and by one that says that it was cancelled
  uint64_t open = 0;       // not over when the log ends
  int64_t ns = 0;          // from begin to end, of those that are timed; till the log's end, of those that have none
  int64_t longest_ns = 0;
  int64_t ran_ns = 0;  // on threads
  int64_t awaited_ns = 0;
  int64_t average_ns() const { return timed == 0 ? 0 : ns / static_cast<int64_t>(timed); }
};

// Awaits at one place.
struct AwaitPlace {
  uint32_t node = 0;  // the longest one's: index into nodes
  uint64_t times = 0;
  int64_t ns = 0;  // of all, till the log's end of those that are not over
  int64_t longest_ns = 0;
  uint64_t open = 0;      // not over when the log ends
  bool of_calls = false;  // of async methods that the log has too, and whose awaits tell more
};

// Longest first.
std::vector<AsyncMethod> async_methods(const Profile& profile);
std::vector<AwaitPlace> await_places(const Profile& profile);

// Calls that had to wait and were not over.
struct InFlight {
  std::vector<uint32_t> most;  // at once, in each of equal parts of the run
  uint32_t at_end = 0;
};
InFlight in_flight(const Profile& profile, uint32_t parts);

}  // namespace oriel::profile
