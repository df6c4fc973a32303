// The encodings are those of the Arm Architecture Reference Manual for A-profile, section C4.1.
#include "sampling/walk/instruction.h"

namespace oriel::sampling {
namespace {

constexpr uint32_t kFramePointer = 29;
constexpr uint32_t kLinkRegister = 30;
constexpr uint32_t kStackPointer = 31;

constexpr uint32_t bits(uint32_t code, unsigned low, unsigned count) { return code >> low & ((1u << count) - 1); }

constexpr int32_t signed_bits(uint32_t code, unsigned low, unsigned count) {
  return static_cast<int32_t>(code << (32 - low - count)) >> (32 - count);
}

constexpr uint32_t destination(uint32_t code) { return bits(code, 0, 5); }
constexpr uint32_t base(uint32_t code) { return bits(code, 5, 5); }

// Add or subtract an immediate, 64 bits, without flags.
Instruction classify_sum(uint32_t code) {
  const auto size = static_cast<int32_t>(bits(code, 10, 12) << (bits(code, 22, 1) ? 12 : 0));
  const int32_t value = bits(code, 30, 1) ? -size : size;
  const uint32_t from = base(code), to = destination(code);
  if (to == kStackPointer) {
    if (from == kStackPointer) return {.action = Action::kMoveStack, .value = value};
    if (from == kFramePointer) return {.action = Action::kSetStackPointer, .value = value};
    return {.action = Action::kLoseStackPointer};
  }
  if (to == kFramePointer && from == kStackPointer) return {.action = Action::kSetFramePointer, .value = value};
  return {.action = Action::kAdd, .other = static_cast<uint8_t>(to)};
}

// Add or subtract a register, extended: the form that takes the stack pointer.
Instruction classify_extended_sum(uint32_t code) {
  if (destination(code) != kStackPointer) {
    return {.action = Action::kAdd, .other = static_cast<uint8_t>(destination(code))};
  }
  constexpr uint32_t kAsItIs = 3;  // uxtx
  if (base(code) != kStackPointer || bits(code, 13, 3) != kAsItIs || bits(code, 10, 3) != 0) {
    return {.action = Action::kLoseStackPointer};
  }
  return {.action = Action::kMoveStackBy,
          .other = static_cast<uint8_t>(bits(code, 16, 5)),
          .value = bits(code, 30, 1) ? -1 : 1};
}

struct Access {
  bool general = false;  // whole general registers, not others
  bool loads = false;
  int32_t at = 0;  // from the stack pointer as it was
  int32_t moves = 0;
};

void note(Instruction& instruction, uint32_t which, int32_t at) {
  if (which == kFramePointer) {
    instruction.has_fp = true;
    instruction.fp_at = at;
  } else if (which == kLinkRegister) {
    instruction.has_lr = true;
    instruction.lr_at = at;
  }
}

Instruction instruction_of(const Access& access, uint32_t first, uint32_t second) {
  Instruction instruction{.action = access.loads ? Action::kRestore : Action::kSave, .value = access.moves};
  if (access.general) {
    note(instruction, first, access.at);
    note(instruction, second, access.at + 8);
  }
  if (!instruction.has_fp && !instruction.has_lr) instruction.action = Action::kMoveStack;
  return instruction;
}

// Two registers at [sp, #n], [sp, #n]! or [sp], #n.
Instruction classify_pair(uint32_t code) {
  const uint32_t size = bits(code, 30, 2);
  const bool vector = bits(code, 26, 1) != 0;
  const int32_t offset = signed_bits(code, 15, 7) * (vector ? 4 << size : size == 2 ? 8 : 4);
  const uint32_t mode = bits(code, 23, 2);
  const bool after = mode == 1, before = mode == 3;
  const Access access{!vector && size == 2, bits(code, 22, 1) != 0, after ? 0 : offset, after || before ? offset : 0};
  return instruction_of(access, destination(code), bits(code, 10, 5));
}

// One register at [sp, #n], with n a multiple of its size.
Instruction classify_scaled(uint32_t code) {
  const bool whole = bits(code, 30, 2) == 3 && bits(code, 26, 1) == 0 && bits(code, 23, 1) == 0;
  if (!whole) return {};
  const Access access{true, bits(code, 22, 1) != 0, static_cast<int32_t>(bits(code, 10, 12) * 8), 0};
  return instruction_of(access, destination(code), kStackPointer);
}

// One register at [sp, #n], [sp, #n]! or [sp], #n, with n of nine bits.
Instruction classify_single(uint32_t code) {
  const int32_t offset = signed_bits(code, 12, 9);
  const uint32_t mode = bits(code, 10, 2);
  const bool after = mode == 1, before = mode == 3;
  const bool whole = bits(code, 30, 2) == 3 && bits(code, 26, 1) == 0 && bits(code, 23, 1) == 0;
  const Access access{whole, bits(code, 22, 1) != 0, after ? 0 : offset, after || before ? offset : 0};
  return instruction_of(access, destination(code), kStackPointer);
}

Instruction classify_memory(uint32_t code) {
  if (base(code) != kStackPointer) return {};
  if ((code & 0x3a000000) == 0x28000000) return classify_pair(code);
  if ((code & 0x3b000000) == 0x39000000) return classify_scaled(code);
  if ((code & 0x3b200000) == 0x38000000) return classify_single(code);
  return {};
}

// mov to a register, of 16 bits at a multiple of 16.
Instruction classify_constant(uint32_t code) {
  const auto to = static_cast<uint8_t>(destination(code));
  const auto value = static_cast<int32_t>(bits(code, 5, 16));
  const uint32_t place = bits(code, 21, 2);
  const bool keeps = bits(code, 29, 2) == 3;
  if (bits(code, 29, 2) == 2 && place == 0) return {.action = Action::kSetConstant, .other = to, .value = value};
  if (bits(code, 29, 2) == 2 && place == 1 && value <= INT16_MAX) {
    return {.action = Action::kSetConstant, .other = to, .value = value << 16};
  }
  if (keeps && place == 1 && value <= INT16_MAX) {
    return {.action = Action::kSetConstantsUpper, .other = to, .value = value << 16};
  }
  return {};
}

Instruction classify_jump(uint32_t code) {
  const auto by = [code](unsigned low, unsigned count) { return signed_bits(code, low, count) * 4; };
  const auto which = static_cast<uint8_t>(base(code));
  if ((code & 0xfc000000) == 0x14000000) return {.action = Action::kJump, .value = by(0, 26)};
  if ((code & 0xfc000000) == 0x94000000) return {.action = Action::kCall, .value = by(0, 26)};
  if ((code & 0xff000000) == 0x54000000) return {.action = Action::kBranch, .value = by(5, 19)};  // b.condition
  if ((code & 0x7e000000) == 0x34000000) return {.action = Action::kBranch, .value = by(5, 19)};  // cbz, cbnz
  if ((code & 0x7e000000) == 0x36000000) return {.action = Action::kBranch, .value = by(5, 14)};  // tbz, tbnz
  // With pointer authentication too.
  if ((code & 0xfffffc1f) == 0xd61f0000 || (code & 0xfefff800) == 0xd61f0800) {
    return {.action = Action::kComputedJump, .other = which};
  }
  if ((code & 0xfffffc1f) == 0xd63f0000 || (code & 0xfefff800) == 0xd63f0800) return {.action = Action::kComputedCall};
  if (code == 0xd65f03c0 || code == 0xd65f0bff || code == 0xd65f0fff) return {.action = Action::kReturn};
  if ((code & 0xfffffc1f) == 0xd65f0000) return {.action = Action::kStop};  // a return to another register
  if ((code & 0xff000000) == 0xd4000000 && (code & 3) == 0) return {.action = Action::kStop};  // brk, hlt
  if (code >> 16 == 0) return {.action = Action::kStop};                                       // udf
  return {};
}

}  // namespace

Instruction classify_instruction(uint32_t code) {
  if ((code & 0xbf800000) == 0x91000000) return classify_sum(code);
  if ((code & 0xbfe00000) == 0x8b200000) return classify_extended_sum(code);
  if ((code & 0xbf200000) == 0x8b000000)
    return {.action = Action::kAdd, .other = static_cast<uint8_t>(destination(code))};
  if ((code & 0x9f800000) == 0x92000000 && destination(code) == kStackPointer && bits(code, 29, 2) != 3) {
    return {.action = Action::kLoseStackPointer};  // and, orr, eor
  }
  if ((code & 0x0a000000) == 0x08000000) return classify_memory(code);
  if ((code & 0x1f800000) == 0x12800000) return classify_constant(code);
  return classify_jump(code);
}

}  // namespace oriel::sampling
