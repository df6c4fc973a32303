// The manager thread: finds threads, owns their timers, and in ORIEL_SAMPLE_REAL takes the samples of those that wait.
#pragma once

#include "sampling/sampling.h"

namespace oriel::sampling {

// Starts the thread and waits until every thread of the process has its timer. state must be set, not enabled.
Error start_manager();

// Ends the thread; all timers are gone then. Does nothing if there is none.
void stop_manager();

// Makes the manager look for threads at once. Any thread; async-safe.
void wake_manager();

// In the child of a fork: there is no manager any more.
void forget_manager();

}  // namespace oriel::sampling
