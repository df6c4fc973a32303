#include <cstring>

#include "sampling/walk/instruction.h"
#include "sampling/walk/step.h"

namespace oriel::sampling {
namespace {

// Ends a prologue at the latest.
bool leaves(Action action) {
  return action == Action::kCall || action == Action::kComputedCall || action == Action::kBranch ||
         action == Action::kJump || action == Action::kComputedJump || action == Action::kReturn ||
         action == Action::kStop;
}

}  // namespace

int64_t frame_pointer_offset(const uint8_t* code, size_t size) {
  int64_t moved = 0, fp_at = 0;
  bool sets_fp = false;
  for (size_t at = 0; at + sizeof(uint32_t) <= size; at += sizeof(uint32_t)) {
    uint32_t word = 0;
    std::memcpy(&word, code + at, sizeof(word));
    const Instruction instruction = classify_instruction(word);
    if (leaves(instruction.action)) break;
    if (instruction.action == Action::kMoveStackBy || instruction.action == Action::kLoseStackPointer) return -1;
    if (instruction.action == Action::kMoveStack || instruction.action == Action::kSave) {
      moved += instruction.value;
    } else if (instruction.action == Action::kSetFramePointer) {
      sets_fp = true;
      fp_at = moved + instruction.value;
    }
  }
  return sets_fp ? fp_at - moved : -1;
}

}  // namespace oriel::sampling
