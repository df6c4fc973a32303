// Threads that waited for locks which they never got.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"
#include "profile/waiting/waits.h"

namespace oriel::profile {

struct StuckThread {
  uint32_t thread = 0;  // index into threads
  uint32_t own = 0;     // index into nodes: the own place that waits
  int64_t ns = 0;       // for how long, up to the end
};

// Those that did nothing else from some time on until the program ended, the longest first. Of one process's log.
std::vector<StuckThread> stuck_on_locks(const Waits& waits, const Profile& profile);

}  // namespace oriel::profile
