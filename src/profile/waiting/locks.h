// Which locks threads waited for, where, and what those who had them did meanwhile.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

// Samples of threads in one place of own code after they got a lock that others waited for, and before another is known
// to have got it. They may have given it back meanwhile: the code tells (report/words/lock_names.h).
struct LockHolding {
  uint32_t own = 0;     // index into nodes, whose callers tell the rest
  int64_t held_ns = 0;  // for so much of the others' waits
};

// Waits for locks of one type at one place in own code.
struct LockPlace {
  uint32_t type = 0;  // index into functions
  uint32_t own = 0;   // index into nodes; 0: no own code waited
  // Index into functions: what own code called that took the lock; 0: it took it itself, by Monitor or Lock.
  uint32_t taken_by = 0;
  int64_t waited_ns = 0;
  uint64_t waits = 0;
  int64_t longest_ns = 0;
  uint32_t threads = 0;
  uint32_t locks = 0;             // different ones
  double at_once = 0;             // threads that waited for one lock at the same time, on average while any did
  std::vector<LockHolding> held;  // longest first
};

// Longest waits first.
std::vector<LockPlace> lock_places(const Profile& profile);

}  // namespace oriel::profile
