// The manager thread: finds threads, owns their timers, and samples waiting threads if requested.
#pragma once

#include "sampling/sampling.h"

namespace oriel::sampling {

// Starts the thread and waits until every thread of the process has its timer. `state` must be set, not enabled.
Error start_manager();

// Ends the thread after deleting all timers. Does nothing if there is none.
void stop_manager();

// Makes the manager scan for threads now. Any thread; async-safe.
void wake_manager();

// For a forked child, in which there is no manager.
void forget_manager();

}  // namespace oriel::sampling
