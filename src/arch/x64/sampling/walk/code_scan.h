// What a function's code tells of its frame: for code without call-frame information, that is, a runtime's methods and
// stubs.
//
// Such code keeps frame pointers, but not at every instruction (not before its prologue has set one up, not after its
// epilogue has taken it down) and not in every function: small methods are compiled without. What is always there is
// the way out: the instructions that take the frame down and return, on the way that control flow goes from here.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sampling/walk/frame_rule.h"
#include "sampling/walk/registers.h"
#include "sampling/walk/stack_memory.h"

namespace oriel::sampling {

struct CodeFrame {
  bool known = false;
  bool from_fp = false;   // what follows counts from the frame pointer as it is now, else from the stack pointer
  bool saves_fp = false;  // the caller's frame pointer lies at `fp_at`; else the register still, or again, has it
  int32_t end = 0;        // where the frame ends: DWARF's CFA, just above the return address
  int32_t fp_at = 0;
  bool uses_fp = false;  // if not known: the code finds its data by the frame pointer, which so is the function's own
};

// Reads the code from `from` on, the instruction to be run next, along all ways that may lead to a return; not known if
// none does within a few thousand instructions. Async-safe.
CodeFrame scan_code(uintptr_t from);

// What a function's first instructions have done to the stack.
struct Prologue {
  int32_t size = 0;      // bytes that the stack pointer was moved down by
  bool sets_fp = false;  // to a place in the frame
  int32_t fp_at = 0;     // where the caller's frame pointer was pushed, from the end of the frame; 0: nowhere
};

// Reads the function that begins at `from`, up to `end` at most. Async-safe.
Prologue scan_prologue(uintptr_t from, uintptr_t end);

// The frame of code from which no way leads to a return, as of a method that only throws: found by who called it.
// Looks up the stack for the return address of a call to a function whose prologue makes just the frame that lies below
// it, and that is not far before the code at hand. The rule for that frame; kNone if there is no such address or, as
// calls that are over leave theirs, more than one. Async-safe.
FrameRule find_called_frame(StackMemory& memory, const Registers& registers);

}  // namespace oriel::sampling
