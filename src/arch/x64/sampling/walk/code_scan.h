// A function's frame, derived from its code: for code without call-frame information, that is, a runtime's methods and
// stubs.
//
// Such code keeps frame pointers, but not at every instruction (not before the prologue sets one up, not after the
// epilogue takes it down) and not in every function: small methods do without. What always exists is the way out: the
// instructions that take the frame down and return, on the path that control flow takes from here.
#pragma once

#include <cstddef>
#include <cstdint>

#include "sampling/walk/frame_rule.h"
#include "sampling/walk/registers.h"
#include "sampling/walk/stack_memory.h"

namespace oriel::sampling {

struct CodeFrame {
  bool known = false;
  bool from_fp = false;   // positions are relative to the present frame pointer, else to the stack pointer
  bool saves_fp = false;  // the caller's frame pointer lies at `fp_at`; else it is in the register
  int32_t end = 0;        // the frame's end: DWARF's CFA, just above the return address
  int32_t fp_at = 0;
  bool uses_fp = false;  // if not known: the code accesses its data through the frame pointer, which therefore is the
                         // function's own
};

// Reads the code from `from` on, the instruction to be executed next, along all paths that may lead to a return; not
// known if none does within a few thousand instructions. `after_call`: it is the one behind a call. Async-safe.
CodeFrame scan_code(uintptr_t from, bool after_call = false);

// The effect of a function's first instructions on the stack.
struct Prologue {
  int32_t size = 0;      // bytes by which the stack pointer was moved down
  bool sets_fp = false;  // to a place in the frame
  int32_t fp_at = 0;     // where the caller's frame pointer was pushed, from the end of the frame; 0: nowhere
};

// Reads the function that begins at `from`, at most up to `end`. Async-safe.
Prologue scan_prologue(uintptr_t from, uintptr_t end);

// The frame of code from which no path leads to a return, for instance a method that only throws, found through its
// caller. Searches up the stack for the return address of a call to a function shortly before the code at hand, whose
// prologue makes exactly the frame below that address. Returns the rule for that frame; kNone if there is no such
// address, or more than one, as calls that are over leave theirs. Async-safe.
FrameRule find_called_frame(StackMemory& memory, const Registers& registers);

}  // namespace oriel::sampling
