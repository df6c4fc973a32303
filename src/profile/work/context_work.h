// What async methods do after awaits on the thread of a SynchronizationContext.
#pragma once

#include <cstdint>

#include "profile/profile.h"

namespace oriel::profile {

// Of the thread with most such work.
struct ContextWork {
  uint32_t thread = 0;     // index into threads
  uint64_t periods = 0;    // its samples in continuations of async methods
  uint64_t of_thread = 0;  // all its samples
  uint64_t waited = 0;     // periods that it was seen waiting
  uint32_t most_own = 0;   // index into nodes: the own place nearest to most of these; 0 if there is none
};
ContextWork context_work(const Profile& profile);

}  // namespace oriel::profile
