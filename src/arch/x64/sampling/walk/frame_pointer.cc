#include "sampling/walk/step.h"

#include "sampling/walk/instruction.h"

namespace oriel::sampling {
namespace {

// Ends a prologue at the latest: a call, a jump, a return.
bool leaves(const uint8_t* code, Action action) {
  return *code == 0xe8 || *code == 0xff || action == Action::kBranch || action == Action::kJump ||
         action == Action::kTailJump || action == Action::kReturn;
}

}  // namespace

int64_t frame_pointer_offset(const uint8_t* code, size_t size) {
  int64_t pushed = 0, pushed_at_frame = -1;  // bytes below the return address
  for (size_t at = 0; at < size;) {
    const uint8_t* const here = code + at;
    const size_t length = instruction_length(here, size - at);
    if (length == 0) break;
    const Instruction instruction = classify_instruction(here, length);
    if (leaves(here, instruction.action)) break;
    if (instruction.action == Action::kPush || instruction.action == Action::kPushFramePointer) {
      pushed += 8;
    } else if (instruction.action == Action::kAddToStack) {
      pushed -= instruction.value;
    } else if (instruction.action == Action::kSetFramePointer) {
      pushed_at_frame = pushed - instruction.value;
    }
    at += length;
  }
  return pushed_at_frame < 0 ? -1 : pushed - pushed_at_frame;
}

}  // namespace oriel::sampling
