// Samples in async methods, put under those that await them: the thread's stack tells only what went on with them.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// A time in which an async method ran on a thread.
struct AsyncRun {
  static constexpr uint32_t kNone = UINT32_MAX;
  int64_t begin_ns = 0;
  int64_t end_ns = -1;       // -1: not over when the log ends
  uint32_t thread = 0;       // index into threads
  uint32_t function = 0;     // index into functions
  uint32_t under = 0;        // the node of those that await it, 0: none that is known
  uint32_t outer = kNone;    // the run inside of which it is: index into these
  bool is_of_outer = false;  // which is of the one that awaits it: the stack itself shows it there
};

// Moves samples, of running and of waiting threads, that were in one of these runs, in the order of their begins.
void stand_under_awaiters(const std::vector<AsyncRun>& runs, Profile& profile);

}  // namespace oriel::profile
