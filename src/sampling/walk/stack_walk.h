// Walks of stacks, three ways to begin one: from an interrupted instruction, from where another thread waits, and from
// where the calling thread is.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sampling/walk/registers.h"
#include "sampling/walk/stack_memory.h"

namespace oriel::sampling {

enum class WalkEnd {
  kThreadStart,
  kBroken,   // the next frame could not be found
  kTooDeep,  // there are more than ORIEL_MAX_FRAMES
};

struct Walk {
  size_t depth;
  WalkEnd end;
};

// Writes the interrupted address and the return addresses to walker.frames, innermost first. Async-safe; only on the
// walker's own thread.
Walk walk_stack(Walker& walker, const Registers& interrupted);

// Where a thread that waits in the system will go on, as the system shows it.
struct BlockedAt {
  uintptr_t ip = 0;
  uintptr_t sp = 0;
};

// The same of a thread that waits, from another thread, with no other registers; the frames begin with the instruction
// that it will go on at. The walker must have no bounds: the thread may end meanwhile, and its stack go away. Worth
// something only if the thread did not run meanwhile. Only on the walker's own thread.
Walk walk_blocked(Walker& walker, const BlockedAt& at);

// A walk of the calling thread's own stack, in memory of the thread's own that its next walk overwrites.
struct OwnStack {
  const uintptr_t* frames = nullptr;  // return addresses, innermost first
  size_t depth = 0;
  bool truncated = false;
};

// The frames from the one that returns to `from` on: what was called since is left out. No lock; no memory but for a
// mapping at the thread's first walk (nothing is walked where there is none), which also asks the C library for the
// stack's bounds. errno stays as it is. Any thread; not in a signal handler.
OwnStack walk_own_stack(uintptr_t from);

// Waits, 100 ms at most, until each of these walks that is running now has ended. Returns whether they have. Any
// thread.
bool wait_for_own_walks();

}  // namespace oriel::sampling
