// The walk of a thread that waits in the system, from another thread: with the stack and instruction pointers that the
// system shows, and no other registers.
#pragma once

#include "sampling/signal/thread_files.h"
#include "sampling/walk/stack_walk.h"

namespace oriel::sampling {

// Writes the instruction that the thread will go on at and the return addresses to walker.frames, innermost first. The
// walker must have no bounds: the thread may end meanwhile, and its stack go away. Worth something only if the thread
// did not run meanwhile. Only on the walker's own thread.
Walk walk_blocked(Walker& walker, const BlockedAt& at);

}  // namespace oriel::sampling
