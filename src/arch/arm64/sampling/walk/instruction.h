// A64 instructions, for reading code forward from an interrupted one: their effect on the stack, the frame pointer
// (x29), the link register (x30) and control flow.
#pragma once

#include <cstdint>

namespace oriel::sampling {

enum class Action : uint8_t {
  kOther,
  kMoveStack,          // by `value`
  kMoveStackBy,        // by what register `other` holds: up, or down if `value` is -1
  kSetFramePointer,    // to stack pointer + `value`
  kSetStackPointer,    // to frame pointer + `value`
  kLoseStackPointer,   // to what the instruction does not tell
  kSave,               // x29 and x30 to the stack, then moves the stack pointer by `value`
  kRestore,            // likewise, from the stack
  kSetConstant,        // register `other` to `value`
  kSetConstantsUpper,  // its upper half of 32 bits to `value`
  kAdd,                // makes register `other` a sum
  kBranch,             // conditional, to `value` bytes after the instruction
  kJump,               // likewise, unconditional
  kComputedJump,       // to register `other`
  kCall,               // to `value` bytes after the instruction
  kComputedCall,       // to a register
  kReturn,             // to x30
  kStop,               // no known successor
};

struct Instruction {
  Action action = Action::kOther;
  uint8_t other = 0;
  bool has_fp = false;  // of kSave and kRestore: x29 at stack pointer + fp_at, x30 at stack pointer + lr_at
  bool has_lr = false;
  int32_t value = 0;
  int32_t fp_at = 0;
  int32_t lr_at = 0;
};

// Async-safe.
Instruction classify_instruction(uint32_t code);

}  // namespace oriel::sampling
