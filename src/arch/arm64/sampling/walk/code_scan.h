// A function's frame, derived from its code: for code without call-frame information, that is, a runtime's methods and
// stubs.
//
// Most such code keeps a frame record (the caller's frame pointer and the return address) and points the frame pointer
// at it, but not at every instruction, nor in every stub. What always exists is the way out: the instructions that take
// the frame down and return, on the path that control flow takes from here.
#pragma once

#include <cstdint>

namespace oriel::sampling {

struct CodeFrame {
  bool known = false;
  bool from_fp = false;   // positions are relative to the present frame pointer, else to the stack pointer
  bool saves_fp = false;  // the caller's frame pointer lies at `fp_at`; else it is in the register
  bool saves_lr = false;  // the return address lies at `lr_at`; else it is in the link register
  int32_t end = 0;        // the frame's end: DWARF's CFA
  int32_t fp_at = 0;
  int32_t lr_at = 0;
};

// Reads the code from `from` on, the instruction to be executed next, along all paths that may lead to a return; not
// known if none does within a few thousand instructions. Async-safe.
CodeFrame scan_code(uintptr_t from);

// Of a function whose call-frame information says that it saves its return address, at the end of an epilogue: the
// registers have the caller's values again, which not all compilers describe. Known if nothing but such an end follows.
// Async-safe.
CodeFrame scan_epilogue(uintptr_t from);

}  // namespace oriel::sampling
