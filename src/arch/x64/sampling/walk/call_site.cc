#include "sampling/walk/call_site.h"

#include <cstring>

#include "sampling/walk/instruction.h"
#include "sampling/walk/stack_memory.h"

namespace oriel::sampling {
namespace {

constexpr size_t kLongestCall = 7;

uintptr_t word_at(uintptr_t address) {
  uintptr_t word = 0;
  return StackMemory::copy(address, &word, sizeof(word)) == sizeof(word) ? word : 0;
}

// The address that an instruction which ends at `next` encodes relative to its end.
uintptr_t relative(uintptr_t next, const uint8_t* distance) {
  int32_t value = 0;
  std::memcpy(&value, distance, sizeof(value));
  return next + static_cast<uintptr_t>(intptr_t{value});
}

// FF /2, of any length.
bool is_computed_call(const uint8_t* end) {
  for (size_t length = 2; length <= kLongestCall; length++) {
    const uint8_t* const code = end - length;
    if (code[0] == 0xff && (code[1] & 0x38) == 0x10 && instruction_length(code, length) == length) return true;
  }
  return false;
}

// CoreCLR's funclets (exception handlers, compiled as functions that run with their method's frame pointer) follow
// their method's code without a gap. Before a method lies a pointer to the runtime's data about it, aligned to 8; other
// code never looks like that, as the upper bytes of an address are zero.
bool begins_method(uintptr_t address) {
  uint64_t before = 0;
  if (address % sizeof(before) != 0) return false;
  if (StackMemory::copy(address - sizeof(before), &before, sizeof(before)) != sizeof(before)) return true;
  return before >= 1u << 16 && before < uint64_t{1} << 47 && before % sizeof(before) == 0;
}

// The parts of a patchpoint. Each function checks what ends at `end` and moves it to the part before.

bool take_call(const uint8_t*& end) {
  if (end[-5] == 0xe8) return end -= 5, true;                     // call rel32
  if (end[-6] == 0xff && end[-5] == 0x15) return end -= 6, true;  // call [rip + disp32]
  return false;
}

bool take_il_offset(const uint8_t*& end) {
  if (end[-5] == 0xbe) return end -= 5, true;                     // mov esi, imm32
  if (end[-2] == 0x33 && end[-1] == 0xf6) return end -= 2, true;  // xor esi, esi
  return false;
}

bool is_counter(const uint8_t* end) {
  const auto lea = [](const uint8_t* at, uint8_t modrm) { return at[0] == 0x48 && at[1] == 0x8d && at[2] == modrm; };
  return lea(end - 4, 0x7d) || lea(end - 7, 0xbd);  // lea rdi, [rbp + disp8 or disp32]
}

}  // namespace

CallSite read_call_site(uintptr_t address) {
  uint8_t code[kLongestCall];
  if (StackMemory::copy(address - sizeof(code), code, sizeof(code)) != sizeof(code)) return {};
  const uint8_t* const end = code + sizeof(code);
  if (end[-6] == 0xff && end[-5] == 0x15) return {true, false, word_at(relative(address, end - 4))};
  if (is_computed_call(end)) return {true, false, 0};
  if (end[-5] != 0xe8) return {};
  const uintptr_t target = relative(address, end - 4);
  return {true, target > address && !begins_method(target), target};
}

uintptr_t jump_of_stub(uintptr_t address) {
  uint8_t code[32];
  const size_t size = StackMemory::copy(address, code, sizeof(code));
  for (size_t at = 0, length = 0; (length = instruction_length(code + at, size - at)) != 0; at += length) {
    const uint8_t* const value = code + at + length - 4;
    const uintptr_t next = address + at + length;
    const Action action = classify_instruction(code + at, length).action;
    if (length == 5 && code[at] == 0xe9) return relative(next, value);
    if (length == 6 && code[at] == 0xff && code[at + 1] == 0x25) return word_at(relative(next, value));
    if (action != Action::kOther && action != Action::kBranch && action != Action::kCall) return 0;
  }
  return 0;
}

bool is_patchpoint_call(const uint8_t* end) { return take_call(end) && take_il_offset(end) && is_counter(end); }

}  // namespace oriel::sampling
