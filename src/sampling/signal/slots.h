// Assignment of slots and timers to threads. Only on the manager thread, unless noted.
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "sampling/signal/state.h"

namespace oriel::sampling {

// A random number in [0, limit), not for secrets.
int64_t random_below(int64_t limit);

// Gives a thread a slot and arms its timer. `accounted` is the reading of its CPU clock at which its time starts to
// count. Returns nullptr if the thread has ended or no slot is left (its time is then counted as lost). If the system
// provides no timer, the slot has none.
Slot* open_slot(uint32_t tid, int64_t accounted);

// Counts as lost the periods of CPU time (`cpu` in all) that will have no sample. Excluded threads lose nothing.
void count_unsampled(Slot& slot, int64_t cpu);

// Makes a slot's timer fire at the present interval.
void rearm_timer(Slot& slot);

// For a slot without a timer, at each scan: counts the time since the last scan as lost, and tries to create the timer
// again.
void go_without_timer(Slot& slot);

// Takes timer and slot from a thread that has ended, or from all when sampling stops.
void close_slot(Slot& slot);

// Waits up to 100 ms until every handler that is running now has ended. Returns whether they have. Any thread.
bool wait_for_handlers();

// Threads that are never sampled. Any thread.
bool is_excluded(uint32_t tid);
void exclude(uint32_t tid);
void forget_excluded_except(bool (*is_alive)(uint32_t tid));

// Threads without a slot lose their samples. Counts as lost the periods of CPU time that a thread used since the
// previous scan or, if that did not count it here, since its CPU clock showed `begin`. Excluded threads lose nothing.
// Beyond ORIEL_MAX_SAMPLED_THREADS such threads, the rest is not counted.
void count_without_slot(uint32_t tid, int64_t begin);

// The reading of the thread's CPU clock, now `cpu`, from which on its time is uncounted; -1 if the previous scan did
// not count it here.
int64_t uncounted_since(uint32_t tid, int64_t cpu);

// Ends a scan: forgets threads that it did not count here.
void end_scan_of_slotless();
// Forgets all, when sampling begins.
void forget_slotless();

}  // namespace oriel::sampling
