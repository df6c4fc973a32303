#include "runtimes/scripted/code.h"

#include <sys/mman.h>

namespace oriel::scripted {

CodeSpace::~CodeSpace() {
  if (memory_) munmap(memory_, kBytes);
}

uint8_t* CodeSpace::take() {
  const std::lock_guard guard(lock_);
  if (!memory_) {
    void* const got = mmap(nullptr, kBytes, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (got == MAP_FAILED) return nullptr;
    memory_ = static_cast<uint8_t*>(got);
  }
  uint8_t* slot = nullptr;
  if (!free_.empty()) {
    slot = free_.back();
    free_.pop_back();
  } else if (used_ + kCodeSize <= kBytes) {
    slot = memory_ + used_;
    used_ += kCodeSize;
  }
  if (slot) write_code(slot);
  return slot;
}

void CodeSpace::give_back(uint8_t* slot) {
  const std::lock_guard guard(lock_);
  free_.push_back(slot);
}

bool CodeSpace::contains(uintptr_t address) const {
  const std::lock_guard guard(lock_);
  const auto base = reinterpret_cast<uintptr_t>(memory_);
  return memory_ && address >= base && address < base + used_;
}

}  // namespace oriel::scripted
