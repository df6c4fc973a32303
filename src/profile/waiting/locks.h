// Lock contention: which locks threads waited for, where, and what the owners did meanwhile.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// Samples of owners in one place of own code, from when they acquired a contended lock until another thread is known to
// have it. They may have released it earlier; the code tells (report/words/lock_names.h).
struct LockHolding {
  uint32_t own = 0;     // index into nodes: the own place, with its callers
  int64_t held_ns = 0;  // part of the others' wait time
};

// Waits for locks of one type at one place in own code.
struct LockPlace {
  uint32_t type = 0;  // index into functions
  uint32_t own = 0;   // index into nodes; 0 if no own code waited
  // Index into functions: the callee of own code that acquires the lock; 0: own code itself, through Monitor or Lock.
  uint32_t taken_by = 0;
  int64_t waited_ns = 0;
  uint64_t waits = 0;
  int64_t longest_ns = 0;
  uint32_t threads = 0;
  uint32_t locks = 0;             // distinct ones
  double at_once = 0;             // average waiters per lock, while there are any
  std::vector<LockHolding> held;  // by time, descending
};

// By total wait time, descending.
std::vector<LockPlace> lock_places(const Profile& profile);

}  // namespace oriel::profile
