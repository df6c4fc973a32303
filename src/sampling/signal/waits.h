// Samples of threads that wait, for the modes that have them: taken by the manager without touching the thread.
//
// What a thread's CPU clock does not show of the time that passes it waited. While the clock stands still the thread is
// where it was, so that its stack is walked once a wait, from the stack and instruction pointers that the system shows,
// and is good if the clock stood still all the while.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sampling/signal/state.h"

namespace oriel::sampling {

// All of these only on the manager thread.

// A slot was opened for a thread that counts from `begin` on, on the monotonic clock, when its CPU clock said `cpu`.
void begin_waits(const Slot& slot, int64_t begin, int64_t cpu);

// Its thread has ended, or sampling: what it still waited was its last wait, if that is known, or is counted as lost.
void end_waits(Slot& slot);

// One look: goes on with the threads that are due until all were looked at or it took its share of CPU time. Returns
// when the next one may be, on the monotonic clock.
int64_t look_at_waits();

// Tells what is known of all waits, in 20 ms at most: sampling ends.
void finish_waits();

}  // namespace oriel::sampling
