#include "sampling/walk/stack_memory.h"

#include <sys/uio.h>
#include <unistd.h>

#include <cstring>

namespace oriel::sampling {

StackMemory::StackMemory(Walker& walker, uintptr_t stack_pointer) : walker_(walker) {
  walker.page_address = 0;
  move_to(stack_pointer);
}

void StackMemory::move_to(uintptr_t stack_pointer) {
  const uintptr_t high = walker_.stack_high.load(std::memory_order_acquire);
  if (stack_pointer >= walker_.stack_low.load(std::memory_order_relaxed) && stack_pointer < high) {
    low_ = stack_pointer;
    size_ = high - stack_pointer;
    return;
  }
  low_ = size_ = 0;
  walker_.stack_pointer.store(stack_pointer, std::memory_order_relaxed);
  walker_.wants_bounds.store(true, std::memory_order_release);
}

// Four at a time, as there usually is none.
__attribute__((no_sanitize("address", "thread"))) uintptr_t StackMemory::find_here(uintptr_t value, uintptr_t from,
                                                                                   uintptr_t to) {
  const auto* word = reinterpret_cast<const uintptr_t*>(from);
  const auto* const end = reinterpret_cast<const uintptr_t*>(to);
  for (; end - word >= 4; word += 4) {
    if ((word[0] == value) | (word[1] == value) | (word[2] == value) | (word[3] == value)) break;
  }
  for (; word < end; ++word) {
    if (*word == value) return reinterpret_cast<uintptr_t>(word);
  }
  return 0;
}

uintptr_t StackMemory::find(uintptr_t value, uintptr_t from, uintptr_t to) {
  constexpr size_t kMostBytes = 4096;
  if (to <= from || (from | to) % sizeof(value) != 0) return 0;
  if (to - from > kMostBytes) to = from + kMostBytes;
  if (from >= low_ && to <= low_ + size_) return find_here(value, from, to);
  uintptr_t word = 0;
  for (; from < to && read(from, word); from += sizeof(word)) {
    if (word == value) return from;
  }
  return 0;
}

size_t StackMemory::copy(uintptr_t address, void* to, size_t size) {
  const iovec local{to, size};
  const iovec remote{reinterpret_cast<void*>(address), size};
  const ssize_t got = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
  return got < 0 ? 0 : static_cast<size_t>(got);
}

// One page at a time: a walk needs the same page for the next frames.
bool StackMemory::read_elsewhere(uintptr_t address, uintptr_t& value) {
  if (address % sizeof(value) != 0) return false;
  const uintptr_t page = address & ~(kPageSize - 1);
  if (page == 0) return false;
  if (page != walker_.page_address) {
    walker_.page_address = 0;
    if (copy(page, walker_.page, kPageSize) != kPageSize) return false;
    walker_.page_address = page;
  }
  std::memcpy(&value, walker_.page + (address - page), sizeof(value));
  return true;
}

}  // namespace oriel::sampling
