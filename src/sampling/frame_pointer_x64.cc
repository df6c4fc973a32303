#include "sampling/frame_pointer_x64.h"

#include <cstring>

#include "sampling/call_site_x64.h"
#include "sampling/instruction_x64.h"
#include "sampling/registers.h"

namespace oriel::sampling {
namespace {

constexpr uintptr_t kWord = sizeof(uintptr_t);
// Frames on the way to the next one with a frame pointer, all together; and how far up it is worth to look for one.
constexpr uintptr_t kMostBetweenRecords = 1u << 20;
constexpr uintptr_t kMostSearched = 16384;

template <size_t N>
bool starts_with(const uint8_t* code, size_t length, const uint8_t (&bytes)[N]) {
  return length >= N && std::memcmp(code, bytes, N) == 0;
}

int32_t value_32(const uint8_t* at) {
  int32_t value = 0;
  std::memcpy(&value, at, sizeof(value));
  return value;
}

constexpr uint8_t kSubStack8[] = {0x48, 0x83, 0xec}, kSubStack32[] = {0x48, 0x81, 0xec};
constexpr uint8_t kLeaFrame8[] = {0x48, 0x8d, 0x6c, 0x24}, kLeaFrame32[] = {0x48, 0x8d, 0xac, 0x24};
constexpr uint8_t kMovFrame[] = {0x48, 0x8b, 0xec}, kMovFrameToo[] = {0x48, 0x89, 0xe5};

bool is_push(const uint8_t* code, size_t length) {
  if (length == 1) return *code >= 0x50 && *code <= 0x57;
  return length == 2 && code[0] == 0x41 && code[1] >= 0x50 && code[1] <= 0x57;
}

// Where the prologue is over at the latest: a call, a jump, a return.
bool leaves(const uint8_t* code, size_t length) {
  const uint8_t opcode = *code;
  return opcode == 0xe8 || opcode == 0xe9 || opcode == 0xeb || opcode == 0xc3 || (opcode >= 0x70 && opcode <= 0x7f) ||
         (length >= 2 && opcode == 0x0f && code[1] >= 0x80 && code[1] <= 0x8f) || opcode == 0xff;
}

// The word at `at` and the one above it, if they can be a caller's frame pointer and the return address to it.
bool read_record(StackMemory& memory, uintptr_t at, uintptr_t& saved, uintptr_t& return_address) {
  // The ABI has the stack aligned to 16 bytes where functions are called.
  return at % 16 == 0 && memory.read(at, saved) && memory.read(at + kWord, return_address) &&
         is_code_address(return_address) && read_call_site(return_address).is_call;
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

int64_t frame_pointer_offset(const uint8_t* code, size_t size) {
  int64_t pushed = 0, pushed_at_frame = -1;  // bytes below the return address
  for (size_t at = 0; at < size;) {
    const uint8_t* const here = code + at;
    const size_t length = instruction_length(here, size - at);
    if (length == 0 || leaves(here, length)) break;
    if (is_push(here, length)) {
      pushed += 8;
    } else if (starts_with(here, length, kMovFrame) || starts_with(here, length, kMovFrameToo)) {
      pushed_at_frame = pushed;
    } else if (starts_with(here, length, kLeaFrame8)) {
      pushed_at_frame = pushed - static_cast<int8_t>(here[4]);
    } else if (starts_with(here, length, kLeaFrame32)) {
      pushed_at_frame = pushed - value_32(here + 4);
    } else if (starts_with(here, length, kSubStack8)) {
      pushed += static_cast<int8_t>(here[3]);
    } else if (starts_with(here, length, kSubStack32)) {
      pushed += value_32(here + 3);
    }
    at += length;
  }
  return pushed_at_frame < 0 ? -1 : pushed - pushed_at_frame;
}

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
