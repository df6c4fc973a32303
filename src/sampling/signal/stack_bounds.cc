#include "sampling/signal/stack_bounds.h"

#include <fcntl.h>
#include <unistd.h>

#include <cstring>

#include "base/descriptor.h"
#include "sampling/signal/state.h"

namespace oriel::sampling {
namespace {

// A program whose threads run on stacks of its own would make us read the map again at every scan.
constexpr uint8_t kMaxTries = 20;

constexpr uintptr_t kMainStackGap = 64u << 20;

struct Mapping {
  uintptr_t low = 0;
  uintptr_t high = 0;
  bool writable = false;
  bool main_stack = false;
};

const char* read_hex(const char* text, uintptr_t& value) {
  value = 0;
  for (;; text++) {
    if (*text >= '0' && *text <= '9') {
      value = value * 16 + static_cast<uintptr_t>(*text - '0');
    } else if (*text >= 'a' && *text <= 'f') {
      value = value * 16 + static_cast<uintptr_t>(*text - 'a' + 10);
    } else {
      return text;
    }
  }
}

// One line: "7f00-7f10 rw-p 0000 00:00 0   [stack]".
Mapping parse(const char* line, size_t length) {
  Mapping mapping;
  const char* at = read_hex(line, mapping.low);
  if (*at != '-') return {};
  at = read_hex(at + 1, mapping.high);
  mapping.writable = at[0] == ' ' && at[1] == 'r' && at[2] == 'w';
  constexpr char kStack[] = "[stack]";
  constexpr size_t kStackLength = sizeof(kStack) - 1;
  mapping.main_stack = length > kStackLength && std::memcmp(line + length - kStackLength, kStack, kStackLength) == 0;
  return mapping;
}

// A mapping is a thread's stack if the thread runs in it and its control block lies in it too: what is between the two
// is there as long as the thread. The main thread's is the one that the system names, and is no part of another
// mapping.
void offer(const Mapping& mapping) {
  const auto contains = [&mapping](uintptr_t address) { return address >= mapping.low && address < mapping.high; };
  const uint32_t used = state.slots_used.load(std::memory_order_relaxed);
  for (uint32_t i = 0; i < used; i++) {
    Slot& slot = state.slots[i];
    if (!slot.wants_bounds.load(std::memory_order_acquire) || !contains(slot.stack_pointer.load())) continue;
    const uintptr_t control_block = slot.thread_pointer.load();
    const bool is_main = slot.tid.load() == static_cast<uint32_t>(getpid());
    if (!mapping.main_stack && (is_main || !contains(control_block))) continue;
    // The main stack grows; the system keeps this much below its end free of other mappings.
    const uintptr_t low = mapping.main_stack ? mapping.high - kMainStackGap : mapping.low;
    // No frame of another thread lies above its control block, and the mapping may: the system makes one of those that
    // touch, and the program may unmap what it has there.
    const uintptr_t high = mapping.main_stack ? mapping.high : control_block;
    slot.stack_low.store(low, std::memory_order_relaxed);
    slot.stack_high.store(high, std::memory_order_release);
  }
}

void read_map(int file) {
  static char buffer[16384];
  size_t filled = 0;
  for (;;) {
    const ssize_t got = read(file, buffer + filled, sizeof(buffer) - 1 - filled);
    if (got <= 0) return;
    filled += static_cast<size_t>(got);
    buffer[filled] = '\0';
    const char* line = buffer;
    while (const char* end =
               static_cast<const char*>(std::memchr(line, '\n', static_cast<size_t>(buffer + filled - line)))) {
      const Mapping mapping = parse(line, static_cast<size_t>(end - line));
      if (mapping.writable) offer(mapping);
      line = end + 1;
    }
    filled -= static_cast<size_t>(line - buffer);
    std::memmove(buffer, line, filled);
  }
}

}  // namespace

void find_stack_bounds() {
  bool wanted = false;
  const uint32_t used = state.slots_used.load(std::memory_order_relaxed);
  for (uint32_t i = 0; i < used; i++) {
    Slot& slot = state.slots[i];
    if (!slot.wants_bounds.load(std::memory_order_relaxed)) continue;
    if (slot.bounds_tries < kMaxTries) {
      slot.bounds_tries++;
      wanted = true;
    }
  }
  if (!wanted) return;
  const int file = open_out_of_the_way("/proc/self/maps", O_RDONLY);
  if (file < 0) return;
  read_map(file);
  close(file);
  for (uint32_t i = 0; i < used; i++) state.slots[i].wants_bounds.store(false, std::memory_order_relaxed);
}

}  // namespace oriel::sampling
