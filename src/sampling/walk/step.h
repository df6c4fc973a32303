// From one frame to its caller. Each architecture has its own files of definitions (step.cc, frame_pointer.cc).
#pragma once

#include <cstddef>
#include <cstdint>

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

// Of a thread that waits the system tells no frame pointer; where it points is found from the stack pointer. So many
// bytes of a function's beginning are worth a look.
inline constexpr size_t kPrologueBytes = 96;

// From the prologue of a function (`size` bytes of code at its start) that has moved its stack pointer no more since
// then: how far above the stack pointer the frame pointer points. -1 if the code sets none up. Async-safe.
int64_t frame_pointer_offset(const uint8_t* code, size_t size);

// The frame pointer of the function that runs with this stack pointer, and whose code starts at `start` (0: not known):
// from its prologue, or else the first thing above that looks like a saved frame pointer with a return address above
// it, and leads to another. 0 if there is none. Async-safe; only on the walker's own thread.
uintptr_t find_frame_pointer(StackMemory& memory, uintptr_t start, uintptr_t stack_pointer);

}  // namespace oriel::sampling
