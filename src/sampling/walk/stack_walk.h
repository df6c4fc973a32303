// Walks of stacks, starting in three ways: at an interrupted instruction, where another thread waits, and at the
// calling thread's present position.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sampling/walk/registers.h"
#include "sampling/walk/stack_memory.h"

namespace oriel::sampling {

enum class WalkEnd {
  kThreadStart,
  kBroken,   // the next frame could not be found
  kTooDeep,  // more than ORIEL_MAX_FRAMES
};

struct Walk {
  size_t depth;
  WalkEnd end;
};

// Writes the interrupted address and the return addresses to walker.frames, innermost first. Async-safe; only on the
// walker's own thread.
Walk walk_stack(Walker& walker, const Registers& interrupted);

// Where a thread that waits in the system will continue, as the system shows it.
struct BlockedAt {
  uintptr_t ip = 0;
  uintptr_t sp = 0;
};

// Likewise for a waiting thread, from another thread and without other registers; the frames begin with the instruction
// at which it will continue. The walker must have no bounds: the thread may end meanwhile, and its stack be unmapped.
// Only valid if the thread did not run meanwhile. Only on the walker's own thread.
Walk walk_blocked(Walker& walker, const BlockedAt& at);

// A walk of the calling thread's own stack, in per-thread memory that its next walk overwrites.
struct OwnStack {
  const uintptr_t* frames = nullptr;  // return addresses, innermost first
  size_t depth = 0;
  bool truncated = false;
};

// The frames starting with the one that returns to `from`; inner ones are left out. No lock and no allocation, except a
// mapping at the thread's first walk (without memory there are no frames), which also asks the C library for the
// stack's bounds. Preserves errno. Any thread; not in a signal handler.
OwnStack walk_own_stack(uintptr_t from);

// Waits up to 100 ms until every such walk that is running now has ended. Returns whether they have. Any thread.
bool wait_for_own_walks();

}  // namespace oriel::sampling
