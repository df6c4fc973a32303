// Walks of the calling thread's own stack, from where it is: for callbacks in the program's own code.
#pragma once

#include <cstddef>
#include <cstdint>

namespace oriel::sampling {

// A walk, in memory of the thread's own that its next walk overwrites.
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
