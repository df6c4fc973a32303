// Giving threads their slots and timers. Only the manager thread calls these, except where it says otherwise.
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "sampling/signal/state.h"

namespace oriel::sampling {

// Any number in [0, limit), not for secrets.
int64_t random_below(int64_t limit);

// Gives a thread a slot and arms its timer. `accounted` is the reading of its CPU clock from which on its time counts.
// Returns nullptr if the thread has ended or no slot is left (its time is counted as lost then). Where the system gives
// no timer the slot has none.
Slot* open_slot(uint32_t tid, int64_t accounted);

// Counts as lost the periods that a thread used CPU time for, `cpu` in all, and will bring no sample for. Excluded
// threads lose nothing.
void count_unsampled(Slot& slot, int64_t cpu);

// Of a slot without a timer, at each scan: counts as lost what its thread used since the last one, and tries again.
void go_without_timer(Slot& slot);

// Takes timer and slot away from a thread that has ended, or from all when sampling stops.
void close_slot(Slot& slot);

// Waits, 100 ms at most, until each handler that is running now has ended. Returns whether they have. Any thread.
bool wait_for_handlers();

// Threads that are never sampled. Any thread.
bool is_excluded(uint32_t tid);
void exclude(uint32_t tid);
void forget_excluded_except(bool (*is_alive)(uint32_t tid));

// Threads that no slot is left for lose their samples. Counts as lost the periods that a thread used CPU time for since
// the scan before or, if that did not meet it here, since its CPU clock said `begin`. Excluded threads lose nothing. Of
// more than ORIEL_MAX_SAMPLED_THREADS such threads the rest is not counted.
void count_without_slot(uint32_t tid, int64_t begin);

// The reading of its CPU clock, which says `cpu` now, from which on a thread's time has not been counted; -1 if the
// scan before did not meet it here.
int64_t uncounted_since(uint32_t tid, int64_t cpu);

// A scan is over: those that it did not meet here are forgotten.
void end_scan_of_slotless();
// Forgets all: sampling begins.
void forget_slotless();

}  // namespace oriel::sampling
