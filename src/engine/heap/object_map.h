// Which addresses are objects, and their numbers by rising address: a bit for each word of 8 bytes, in chunks of 4 MB
// of address space. It takes 1.7 % of the heap. Nothing here allocates but by pages.
#pragma once

#include <bit>
#include <cstdint>

#include "engine/heap/page_memory.h"

namespace oriel {

class ObjectMap {
 public:
  static constexpr uint64_t kNone = UINT64_MAX;

  ObjectMap() = default;
  ~ObjectMap();
  ObjectMap(const ObjectMap&) = delete;
  ObjectMap& operator=(const ObjectMap&) = delete;

  // False if there is no memory for it.
  bool prepare();

  // Adds an object; false if there is no memory, or the address is none. An object may be added twice.
  bool add(uintptr_t address) {
    const uintptr_t chunk = address >> kChunkShift;
    if (chunk != last_chunk_ && !open(chunk)) return false;
    const uint64_t word = (address & kChunkMask) >> 3;
    last_->bits[word >> 6] |= uint64_t{1} << (word & 63);
    return true;
  }

  bool contains(uintptr_t address) const {
    const Chunk* const chunk = chunk_of(address);
    const uint64_t word = (address & kChunkMask) >> 3;
    return chunk != nullptr && (address & 7) == 0 && (chunk->bits[word >> 6] >> (word & 63) & 1) != 0;
  }

  // Once all have been added: gives them their numbers. Returns how many there are.
  uint64_t number_all();

  // The number of the object at exactly this address, kNone if there is none.
  uint64_t number_of(uintptr_t address) const {
    if (!contains(address)) return kNone;
    const Chunk* const chunk = chunk_of(address);
    const uint64_t word = (address & kChunkMask) >> 3, bit = word & 63;
    const uint64_t bits = chunk->bits[word >> 6];
    uint64_t number = chunk->first + chunk->ranks[word >> 9];
    for (uint64_t at = word >> 9 << 3; at < word >> 6; ++at)
      number += static_cast<uint64_t>(std::popcount(chunk->bits[at]));
    return number + static_cast<uint64_t>(std::popcount(bits & ((uint64_t{1} << bit) - 1)));
  }
  // Whether the address lies in the 4 MB around an object.
  bool is_near(uintptr_t address) const { return chunk_of(address) != nullptr; }

  // The start of the last object at or before the address, at most `most` bytes before it; 0 if there is none.
  uintptr_t last_at_or_before(uintptr_t address, uintptr_t most) const;

  // Calls visit(address) for all objects by rising address.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (uint32_t i = 0; i < count_; ++i) {
      const Chunk& chunk = *sorted_[i];
      for (uint64_t at = 0; at < kWords; ++at) {
        for (uint64_t bits = chunk.bits[at]; bits != 0; bits &= bits - 1) {
          const auto bit = static_cast<uint64_t>(std::countr_zero(bits));
          visit(chunk.start + ((at << 6 | bit) << 3));
        }
      }
    }
  }

 private:
  static constexpr unsigned kChunkShift = 22, kAddressBits = 47;
  static constexpr uintptr_t kChunkMask = (uintptr_t{1} << kChunkShift) - 1;
  static constexpr uint64_t kWords = 1 << (kChunkShift - 9), kRanks = kWords / 8;
  static constexpr uint32_t kMostChunks = 1 << 18, kChunksAtOnce = 64;  // a terabyte
  struct Chunk {
    uint64_t bits[kWords];
    uint32_t ranks[kRanks];  // objects before each 8 words of bits
    uint64_t first;          // number of its first object
    uintptr_t start;
  };

  bool open(uintptr_t chunk);
  const Chunk* chunk_of(uintptr_t address) const {
    const uintptr_t chunk = address >> kChunkShift;
    if (chunk >= uintptr_t{1} << (kAddressBits - kChunkShift)) return nullptr;
    return index_.as<Chunk*>()[chunk];
  }

  PageMemory index_;  // by the address's upper bits, the chunk
  PageMemory order_;  // all chunks
  PageMemory more_;   // where those of them were made that have the same memory
  Chunk** sorted_ = nullptr;
  Chunk** made_ = nullptr;
  uint32_t count_ = 0, made_count_ = 0;
  Chunk* spare_ = nullptr;  // not used yet
  Chunk* spare_end_ = nullptr;
  uintptr_t last_chunk_ = UINTPTR_MAX;
  Chunk* last_ = nullptr;
};

}  // namespace oriel
