// The walk from the interrupted instruction to the thread's start.
#pragma once

#include <cstddef>

#include "sampling/signal/state.h"
#include "sampling/walk/registers.h"

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

}  // namespace oriel::sampling
