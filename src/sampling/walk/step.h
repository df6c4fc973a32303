// Steps from a frame to its caller. Defined for each architecture (step.cc, frame_pointer.cc).
#pragma once

#include <cstddef>
#include <cstdint>

#include "sampling/cfi/frame_tables.h"
#include "sampling/walk/frame_rule.h"
#include "sampling/walk/registers.h"
#include "sampling/walk/stack_memory.h"

namespace oriel::sampling {

enum class Step {
  kCaller,       // the registers are now the caller's; ip is a return address
  kInterrupted,  // the registers are those of code that a signal interrupted
  kThreadStart,  // there is no caller
  kBroken,       // the caller could not be found
};

struct Frame {
  Registers registers;
  FrameRule rule{};  // how to step from here
};

// The frame of a thread that was interrupted at these registers, or has them now. Async-safe.
Frame innermost_frame(const Registers& registers);

// Replaces `frame` by its caller's. Async-safe.
Step step_to_caller(StackMemory& memory, Frame& frame);

// Whether this is the code of a C library without call-frame information that calls main or a thread's function: that
// of musl calls exit behind it, so no way leads to a return.
inline bool starts_thread(const FrameRule& rule, uintptr_t ip) {
  return rule.kind == RuleKind::kNoReturnFound && rule.follows_call && is_bare_libc(ip);
}

// The system shows no frame pointer for a waiting thread; it is derived from the stack pointer. This many bytes of a
// function's start are read for that.
inline constexpr size_t kPrologueBytes = 96;

// From the prologue of a function (`size` bytes of code at its start) that has not moved its stack pointer since: the
// distance from the stack pointer up to the frame pointer. -1 if the code sets none up. Async-safe.
int64_t frame_pointer_offset(const uint8_t* code, size_t size);

// The frame pointer of the function that runs with this stack pointer, and whose code starts at `start` (0: unknown):
// from its prologue, or else the first word above that looks like a saved frame pointer, has a return address above it,
// and leads to another such pair. 0 if there is none. Async-safe; only on the walker's own thread.
uintptr_t find_frame_pointer(StackMemory& memory, uintptr_t start, uintptr_t stack_pointer);

}  // namespace oriel::sampling
