// x86-64 instructions, for reading code forward from an interrupted one: their length, and their effect on the stack,
// the frame pointer and control flow.
#pragma once

#include <cstddef>
#include <cstdint>

namespace oriel::sampling {

// Length of the instruction at `code`, of which `size` bytes are available; 0 if it is unknown or cut off. Async-safe.
size_t instruction_length(const uint8_t* code, size_t size);

enum class Action {
  kOther,
  kPush,
  kPushFramePointer,
  kPop,
  kPopFramePointer,
  kStoreFramePointer,  // at stack pointer + `value`: saved without a push, or a value of the method's own
  kLoadFramePointer,   // from stack pointer + `value`
  kAddToStack,         // `value`
  kSetFramePointer,    // to stack pointer + `value`
  kSetStackPointer,    // to frame pointer + `value`
  kLeave,              // stack pointer to frame pointer, then pop it
  kAddressBelow,       // stack pointer + `value` into r11: the end of a large frame, which is probed before it is taken
                       // down
  kSetStackFromBelow,  // to that address
  kBranch,             // conditional, to `value` bytes after the instruction
  kJump,               // likewise, unconditional
  kTailJump,           // to a computed address, with the stack as at the function's start
  kScratchJump,        // to where r11 says or points, in a runtime that has this register for its stubs: the same
  kSwitch,             // to a place of a table in the same function
  kCall,
  kReturn,
  kStop,  // no known successor
};

struct Instruction {
  Action action = Action::kOther;
  int32_t value = 0;
};

// The effect of the instruction of `length` bytes at `code`. Async-safe.
Instruction classify_instruction(const uint8_t* code, size_t length);

// Whether it is a common instruction that reads or writes memory at frame pointer + a constant. Async-safe.
bool refers_to_frame_pointer(const uint8_t* code, size_t length);

}  // namespace oriel::sampling
