// From one frame to its caller. Each architecture has its own file of definitions (step_x64.cc).
#pragma once

#include "sampling/registers.h"
#include "sampling/stack_memory.h"
#include "sampling/state.h"

namespace oriel::sampling {

enum class Step {
  kCaller,       // the registers are the caller's now; ip is a return address
  kInterrupted,  // the registers are those of code that a signal interrupted
  kThreadStart,  // there is no caller
  kBroken,       // the caller could not be found
};

// Changes `registers` to the caller's. `exact`: ip is the instruction to be run next, not a return address. Async-safe;
// only on the walker's own thread.
Step step_to_caller(Walker& walker, StackMemory& memory, Registers& registers, bool exact);

}  // namespace oriel::sampling
