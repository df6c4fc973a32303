// Reads a thread's stack without faulting.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "oriel/oriel.h"

namespace oriel::sampling {

inline constexpr size_t kPageSize = 4096;

// State for walks of one thread's stack besides the registers. Kept off that stack, as a program's alternate signal
// stacks may be 8 KB. All zero is valid. Only for the walking thread, except the bounds.
struct Walker {
  // The thread's stack: [low, high) is mapped as long as the thread lives; high 0 if unknown.
  std::atomic<uintptr_t> stack_low{0};
  std::atomic<uintptr_t> stack_high{0};
  std::atomic<bool> wants_bounds{false};
  std::atomic<uintptr_t> stack_pointer{0};  // of the last walk without known bounds

  uintptr_t page_address = 0;  // the page that `page` is a copy of during one walk, 0 for none
  alignas(64) uint8_t page[kPageSize];
  uintptr_t frames[ORIEL_MAX_FRAMES];
};

// The memory that one walk may read. Addresses between the stack pointer and the known end of the thread's stack are
// read directly; all others (alternate signal stacks, coroutines, the first samples of a thread) by a system call,
// which fails for unmapped memory. Async-safe; only on the walker's own thread.
class StackMemory {
 public:
  StackMemory(Walker& walker, uintptr_t stack_pointer);

  // Continues the walk at another stack pointer: that of code which a signal interrupted on another stack.
  void move_to(uintptr_t stack_pointer);

  // The word at `address`, a multiple of 8. Returns whether it could be read.
  bool read(uintptr_t address, uintptr_t& value) {
    if (address - low_ < size_ && size_ - (address - low_) >= sizeof(value) && address % sizeof(value) == 0) {
      value = load(address);
      return true;
    }
    return read_elsewhere(address, value);
  }

  // The first place in [from, to) that holds `value`, 0 if none of the first few hundred does. `from` and `to` are
  // multiples of 8.
  uintptr_t find(uintptr_t value, uintptr_t from, uintptr_t to);

  // `size` bytes at any address, by a system call. Returns how many could be read.
  static size_t copy(uintptr_t address, void* to, size_t size);

 private:
  // The program's own memory, which another thread may be changing: not for a sanitizer to check.
  __attribute__((no_sanitize("address", "thread"))) static uintptr_t load(uintptr_t address) {
    return *reinterpret_cast<const volatile uintptr_t*>(address);
  }
  static uintptr_t find_here(uintptr_t value, uintptr_t from, uintptr_t to);
  bool read_elsewhere(uintptr_t address, uintptr_t& value);

  Walker& walker_;
  uintptr_t low_ = 0;
  size_t size_ = 0;
};

}  // namespace oriel::sampling
