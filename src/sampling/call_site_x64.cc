#include "sampling/call_site_x64.h"

#include <cstring>

#include "sampling/instruction_x64.h"
#include "sampling/stack_memory.h"

namespace oriel::sampling {
namespace {

constexpr size_t kLongestCall = 7;
constexpr size_t kDirectCall = 5;

// FF /2, in any of its lengths.
bool is_computed_call(const uint8_t* end) {
  for (size_t length = 2; length <= kLongestCall; length++) {
    const uint8_t* const code = end - length;
    if (code[0] == 0xff && (code[1] & 0x38) == 0x10 && instruction_length(code, length) == length) return true;
  }
  return false;
}

// CoreCLR's funclets (handlers of exceptions, compiled as functions that run with their method's frame pointer) follow
// their method's code without a gap. Before a method there is a pointer to what the runtime knows of it, on a multiple
// of 8; other code never looks like that: the upper bytes of an address are zero.
bool begins_method(uintptr_t address) {
  uint64_t before = 0;
  if (address % sizeof(before) != 0) return false;
  if (StackMemory::copy(address - sizeof(before), &before, sizeof(before)) != sizeof(before)) return true;
  return before >= 1u << 16 && before < uint64_t{1} << 47 && before % sizeof(before) == 0;
}

}  // namespace

CallSite read_call_site(uintptr_t address) {
  uint8_t code[kLongestCall];
  if (StackMemory::copy(address - sizeof(code), code, sizeof(code)) != sizeof(code)) return {};
  const uint8_t* const end = code + sizeof(code);
  if (is_computed_call(end)) return {true, false};
  if (end[-5] != 0xe8) return {};
  int32_t distance = 0;
  std::memcpy(&distance, end - kDirectCall + 1, sizeof(distance));
  return {true, distance > 0 && !begins_method(address + static_cast<uintptr_t>(intptr_t{distance}))};
}

}  // namespace oriel::sampling
