// The process's memory that is not the managed heap, read in search of roots. In a copy of the process nobody changes
// it, so it is read where it is; what is not there ends the copy only. In the process itself native threads go on while
// the runtime is stopped, and may unmap any of it at any moment: it is copied by system calls, which do not fault.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "engine/heap/page_memory.h"

namespace oriel {

class NativeMemory {
 public:
  enum class Access { kInPlace, kCopied };
  // The most bytes that `take` makes ready.
  static constexpr size_t kPiece = 0x10000, kBehind = 0x1000;

  explicit NativeMemory(Access access) : access_(access) {}

  // False if there is no memory for it, or the system does not let the process read its own.
  bool prepare();

  // Until the next call, words in this memory are what they are now: a piece, and a little of what is behind it.
  // False if none of it is there. What is not there reads as zeros.
  bool take(uintptr_t start, uintptr_t end);
  // Of words that are ready, how far away they are to be read, without a check.
  uintptr_t shift() const { return shift_; }

  // The word at an address; 0 if it is not there.
  template <typename T>
  T at(uintptr_t address) const {
    T value{};
    if (address - start_ < size_)
      std::memcpy(&value, reinterpret_cast<const void*>(address + shift_), sizeof value);
    else if (!copy(address, &value, sizeof value))
      value = {};
    return value;
  }

  // Copies so many bytes. Returns whether all of them are there.
  bool copy(uintptr_t address, void* to, size_t bytes) const;

 private:
  static constexpr uintptr_t kPage = 4096;

  const Access access_;
  PageMemory piece_;  // shared, as private memory is looked through for roots
  // What is ready, and how far from there the copy is. In place all of it is.
  uintptr_t start_ = 0, size_ = 0, shift_ = 0;
};

}  // namespace oriel
