// Samples of waiting threads, for the modes that have them: taken by the manager without touching the thread.
//
// Elapsed time that a thread's CPU clock does not show is waiting time. While that clock stands still the thread stays
// in one place, so its stack is walked once a wait, from the stack and instruction pointers that the system shows; the
// result is valid if the clock stood still throughout.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sampling/signal/state.h"

namespace oriel::sampling {

// All of these only on the manager thread.

// A slot was opened for a thread that counts from `begin` on the monotonic clock, when its CPU clock showed `cpu`.
void begin_waits(const Slot& slot, int64_t begin, int64_t cpu);

// The slot's thread has ended, or sampling has: the remaining waiting time goes to its last wait, if known, or is
// counted as lost.
void end_waits(Slot& slot);

// One look: continues with the threads that are due until all were inspected or its share of CPU time is used up.
// Returns the time of the next one on the monotonic clock.
int64_t look_at_waits();

// At the end of sampling: reports what is known of all waits, within 20 ms.
void finish_waits();

}  // namespace oriel::sampling
