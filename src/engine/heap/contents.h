// What strings and arrays contain, as numbers by which equal ones are found, for a walk over the heap: nothing here
// locks or allocates but by pages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "engine/heap/page_memory.h"
#include "engine/heap/shared_heap.h"

namespace oriel {

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
  // The counts lie all over the memory: it is asked for early, and counted a little later.
  void add(uint64_t hash) {
    ask_for(hash);
    std::swap(hash, late_[added_++ % kLate]);
    if (added_ > kLate) count(hash);
  }
  // After the last one.
  void end() {
    for (uint64_t i = 0; i < std::min<uint64_t>(added_, kLate); ++i) count(late_[i]);
  }
  void ask_for(uint64_t hash) const { __builtin_prefetch(&counts_[place_of(hash)], 1); }
  bool contains(uint64_t hash) const { return (counts_[place_of(hash)] >> shift_of(hash) & 2) != 0; }
  // ORIEL_HEAP_CONTENTS.
  int64_t value_of(const Contents& contents) const;

 private:
  static constexpr uint64_t kLate = 16;
  void count(uint64_t hash) {
    uint8_t& byte = counts_[place_of(hash)];
    const unsigned shift = shift_of(hash);
    if ((byte >> shift & 2) == 0) byte = static_cast<uint8_t>(byte + (1u << shift));
  }
  // Four counts of two bits in a byte.
  uint64_t place_of(uint64_t hash) const { return hash >> 34 & mask_; }
  static unsigned shift_of(uint64_t hash) { return static_cast<unsigned>(hash >> 32 & 3) * 2; }

  PageMemory memory_;
  uint8_t* counts_ = nullptr;
  uint64_t mask_ = 0;
  uint64_t late_[kLate] = {};
  uint64_t added_ = 0;
};

// Where strings have their length, a word of 32 bits, and their characters.
struct StringLayout {
  uintptr_t length_offset, characters_offset;
};

// The strings that take the most memory in equal copies. Of so many different ones that not all can be counted, those
// with little so far give way.
class LargestTexts {
 public:
  bool prepare();
  void add(uint64_t hash, uintptr_t string, uint64_t number, uint64_t bytes);
  // Copies the beginnings of those that are worth it.
  void tell(FoundHeap& found, StringLayout layout);

 private:
  struct Entry {
    uint64_t hash, bytes, number;
    uintptr_t string;
    uint64_t copies;
  };
  static constexpr uint32_t kRows = 1 << 10, kInRow = 8;
  PageMemory memory_;
};

}  // namespace oriel
