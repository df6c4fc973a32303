// Threads that waited for a lock until the log ended: possible deadlocks.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"
#include "profile/waiting/waits.h"

namespace oriel::profile {

struct StuckThread {
  uint32_t thread = 0;  // index into threads
  uint32_t own = 0;     // index into nodes: the waiting place in own code
  int64_t ns = 0;       // waiting time, up to the end
};

// Threads that only waited for locks from some time until the log ended; longest wait first. For the whole log of one
// process.
std::vector<StuckThread> stuck_on_locks(const WaitTotals& waits, const Profile& profile);

}  // namespace oriel::profile
