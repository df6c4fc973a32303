// Threads that no slot is left for: what they use CPU time for is lost, and counted. Only on the manager thread.
#pragma once

#include <cstdint>

namespace oriel::sampling {

// Counts as lost the periods that a thread used CPU time for since the scan before or, if that did not meet it here,
// since its CPU clock said `begin`. Excluded threads lose nothing. Of more than ORIEL_MAX_SAMPLED_THREADS such threads
// the rest is not counted.
void count_without_slot(uint32_t tid, int64_t begin);

// The reading of its CPU clock, which says `cpu` now, from which on a thread's time has not been counted; -1 if the
// scan before did not meet it here.
int64_t uncounted_since(uint32_t tid, int64_t cpu);

// A scan is over: those that it did not meet here are forgotten.
void end_scan_of_slotless();
// Forgets all: sampling begins.
void forget_slotless();

}  // namespace oriel::sampling
