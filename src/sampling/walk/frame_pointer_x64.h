// Where a function's frame pointer points, found from its stack pointer: of a thread that waits the system tells no
// other registers.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sampling/walk/stack_memory.h"

namespace oriel::sampling {

// How many bytes of a function's beginning it is worth to look at.
inline constexpr size_t kPrologueBytes = 96;

// From the prologue of a function (`size` bytes of code at its start) that has moved its stack pointer no more since
// then: how far above the stack pointer the frame pointer points. -1 if the code sets none up. Async-safe.
int64_t frame_pointer_offset(const uint8_t* code, size_t size);

// The frame pointer of the function that runs with this stack pointer, and whose code starts at `start` (0: not known):
// from its prologue, or else the first thing above that looks like a saved frame pointer with a return address above
// it, and leads to another. 0 if there is none. Async-safe; only on the walker's own thread.
uintptr_t find_frame_pointer(StackMemory& memory, uintptr_t start, uintptr_t stack_pointer);

}  // namespace oriel::sampling
