// What async methods do after their awaits on a thread that a SynchronizationContext sends them to.
#pragma once

#include <cstdint>

#include "profile/profile.h"

namespace oriel::profile {

// Of the thread that does most of it.
struct ContextWork {
  uint32_t thread = 0;     // index into threads
  uint64_t periods = 0;    // samples of it in code that goes on after an await
  uint64_t of_thread = 0;  // all its samples
  uint64_t waited = 0;     // of it, as far as it was seen to wait
  uint32_t most_own = 0;   // index into nodes: the own place nearest to most of these; 0: there are none
};
ContextWork context_work(const Profile& profile);

}  // namespace oriel::profile
