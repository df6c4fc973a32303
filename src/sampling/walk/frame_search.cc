// Searches the stack for a frame record: a caller's frame pointer with the return address above it.
#include "sampling/walk/call_site.h"
#include "sampling/walk/registers.h"
#include "sampling/walk/return_address.h"
#include "sampling/walk/step.h"

namespace oriel::sampling {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);
// The size of all frames up to the next one with a frame pointer, and how far up to search for one.
constexpr uintptr_t kMostBetweenRecords = 1u << 20;
constexpr uintptr_t kMostSearched = 16384;

// The word at `at` and the one above it, if they can be a caller's frame pointer and the return address to it.
bool read_record(StackMemory& memory, uintptr_t at, uintptr_t& saved, uintptr_t& return_address) {
  // The ABI aligns the stack to 16 bytes at calls.
  if (at % 16 != 0 || !memory.read(at, saved) || !memory.read(at + kWord, return_address)) return false;
  return_address = without_signature(return_address);
  return is_code_address(return_address) && read_call_site(return_address).is_call;
}

bool is_above(uintptr_t saved, uintptr_t at) { return saved > at && saved - at < kMostBetweenRecords; }

uintptr_t search_upwards(StackMemory& memory, uintptr_t stack_pointer) {
  const uintptr_t first = (stack_pointer + 15) & ~uintptr_t{15};
  for (uintptr_t at = first; at - first < kMostSearched; at += 16) {
    uintptr_t saved = 0, above = 0, return_address = 0;
    if (!memory.read(at, saved)) return 0;
    if (!is_above(saved, at)) continue;
    if (read_record(memory, at, saved, return_address) && read_record(memory, saved, above, return_address)) return at;
  }
  return 0;
}

}  // namespace

uintptr_t find_frame_pointer(StackMemory& memory, uintptr_t start, uintptr_t stack_pointer) {
  uint8_t code[kPrologueBytes];
  const int64_t offset = start != 0 ? frame_pointer_offset(code, StackMemory::copy(start, code, sizeof(code))) : -1;
  if (offset >= 0) {
    const uintptr_t at = stack_pointer + static_cast<uintptr_t>(offset);
    uintptr_t saved = 0, return_address = 0;
    if (read_record(memory, at, saved, return_address)) return at;
  }
  return search_upwards(memory, stack_pointer);
}

}  // namespace oriel::sampling
