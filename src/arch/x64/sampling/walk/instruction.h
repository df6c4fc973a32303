// x86-64 instructions, for reading code forward from an interrupted one: how long they are, and what they do to the
// stack, the frame pointer and the flow of control.
#pragma once

#include <cstddef>
#include <cstdint>

namespace oriel::sampling {

// Bytes of the instruction that starts at `code`, of which `size` bytes are there; 0 if it is none we know or is cut
// off. Async-safe.
size_t instruction_length(const uint8_t* code, size_t size);

enum class Action {
  kOther,
  kPush,
  kPushFramePointer,
  kPop,
  kPopFramePointer,
  kAddToStack,         // `value`
  kSetFramePointer,    // to stack pointer + `value`
  kSetStackPointer,    // to frame pointer + `value`
  kLeave,              // stack pointer to frame pointer, then pop it
  kAddressBelow,       // of stack pointer + `value`, into r11: a big frame's end, which is looked at before it is taken
  kSetStackFromBelow,  // to that address
  kBranch,             // perhaps, to `value` bytes behind the instruction
  kJump,               // the same, always
  kTailJump,           // to a computed address, with the stack as at the function's begin
  kReturn,
  kStop,  // goes nowhere that we know
};

struct Instruction {
  Action action = Action::kOther;
  int32_t value = 0;
};

// What the instruction of `length` bytes at `code` does. Async-safe.
Instruction classify_instruction(const uint8_t* code, size_t length);

// Whether it is one of the usual instructions and reads or writes memory at frame pointer + a number. Async-safe.
bool refers_to_frame_pointer(const uint8_t* code, size_t length);

}  // namespace oriel::sampling
