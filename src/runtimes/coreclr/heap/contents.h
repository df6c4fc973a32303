// What strings and arrays contain, as numbers by which equal ones are found, in the copy of a process: nothing here
// locks or allocates but by pages.
#pragma once

#include <cstddef>
#include <cstdint>

#include "runtimes/coreclr/heap/page_memory.h"
#include "runtimes/coreclr/heap/shared_heap.h"

namespace oriel::coreclr {

struct Contents {
  uint64_t hash;
  bool is_zero;  // there is nothing but zeros, or nothing
};
// Of so many bytes. Objects of different kinds have different seeds.
Contents contents_of(uintptr_t start, uint64_t bytes, uint64_t seed);

// Which contents there are more than once. It counts by a part of the hash, up to two, in 1.6 % of the heap's size; so
// it takes a few of those for repeated that are not.
class RepeatedContents {
 public:
  // False if there is no memory for it.
  bool prepare(uint64_t heap_bytes);
  void add(uint64_t hash) {
    uint8_t& byte = counts_[place_of(hash)];
    const unsigned shift = shift_of(hash);
    if ((byte >> shift & 2) == 0) byte = static_cast<uint8_t>(byte + (1u << shift));
  }
  bool contains(uint64_t hash) const { return (counts_[place_of(hash)] >> shift_of(hash) & 2) != 0; }

 private:
  // Four counts of two bits in a byte.
  uint64_t place_of(uint64_t hash) const { return hash >> 34 & mask_; }
  static unsigned shift_of(uint64_t hash) { return static_cast<unsigned>(hash >> 32 & 3) * 2; }

  PageMemory memory_;
  uint8_t* counts_ = nullptr;
  uint64_t mask_ = 0;
};

// The strings that take the most memory in equal copies. Of so many different ones that not all can be counted, those
// with little so far give way.
class LargestTexts {
 public:
  bool prepare();
  void add(uint64_t hash, uintptr_t string, uint64_t number, uint64_t bytes);
  // Copies the beginnings of those that are worth it.
  void tell(FoundHeap& found);

 private:
  struct Entry {
    uint64_t hash, bytes, number;
    uintptr_t string;
    uint64_t copies;
  };
  static constexpr uint32_t kRows = 1 << 12, kInRow = 8;
  PageMemory memory_;
};

}  // namespace oriel::coreclr
