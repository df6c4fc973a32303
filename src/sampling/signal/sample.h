// A sample while its listeners look at it.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sampling/sampling.h"
#include "sampling/signal/state.h"

namespace oriel::sampling {

// Of a thread that runs, in its signal handler; or of one that waits, on the manager's thread, its walk made. The
// slot's `busy` is set meanwhile.
struct Sample {
  Slot* slot;
  const void* context;  // nullptr once the walk is made
  uintptr_t ip;
  uint64_t time;
  uint32_t os_thread;
  uint32_t periods;
  // The walk, once it is made: in slot->frames.
  mutable bool walked;
  mutable bool truncated;
  mutable size_t depth;
};

}  // namespace oriel::sampling
