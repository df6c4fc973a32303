// From one frame to its caller. Each architecture has its own file of definitions (step_x64.cc).
#pragma once

#include "sampling/walk/frame_rule.h"
#include "sampling/walk/registers.h"
#include "sampling/walk/stack_memory.h"

namespace oriel::sampling {

enum class Step {
  kCaller,       // the registers are the caller's now; ip is a return address
  kInterrupted,  // the registers are those of code that a signal interrupted
  kThreadStart,  // there is no caller
  kBroken,       // the caller could not be found
};

struct Frame {
  Registers registers;
  FrameRule rule{};  // how to step on from here
};

// The frame of a thread that was interrupted at, or is at, these registers. Async-safe.
Frame innermost_frame(const Registers& registers);

// Changes `frame` to its caller's. Async-safe.
Step step_to_caller(StackMemory& memory, Frame& frame);

}  // namespace oriel::sampling
