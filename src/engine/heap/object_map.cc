#include "engine/heap/object_map.h"

#include <algorithm>

namespace oriel {

bool ObjectMap::prepare() {
  index_ = PageMemory((size_t{1} << (kAddressBits - kChunkShift)) * sizeof(Chunk*));
  order_ = PageMemory(kMostChunks * sizeof(Chunk*));
  more_ = PageMemory(kMostChunks / kChunksAtOnce * sizeof(Chunk*));
  sorted_ = order_.as<Chunk*>();
  made_ = more_.as<Chunk*>();
  return index_ && order_ && more_;
}

ObjectMap::~ObjectMap() {
  for (uint32_t i = 0; i < made_count_; ++i) munmap(made_[i], kChunksAtOnce * sizeof(Chunk));
}

bool ObjectMap::open(uintptr_t chunk) {
  if (chunk >= uintptr_t{1} << (kAddressBits - kChunkShift)) return false;
  Chunk*& entry = index_.as<Chunk*>()[chunk];
  if (entry == nullptr) {
    if (count_ == kMostChunks) return false;
    if (spare_ == spare_end_) {
      void* const more = mmap(nullptr, kChunksAtOnce * sizeof(Chunk), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (more == MAP_FAILED) return false;
      spare_ = made_[made_count_++] = static_cast<Chunk*>(more);
      spare_end_ = spare_ + kChunksAtOnce;
    }
    entry = spare_++;
    entry->start = chunk << kChunkShift;
    sorted_[count_++] = entry;
  }
  last_chunk_ = chunk;
  last_ = entry;
  return true;
}

uint64_t ObjectMap::number_all() {
  std::sort(sorted_, sorted_ + count_, [](const Chunk* a, const Chunk* b) { return a->start < b->start; });
  uint64_t number = 0;
  for (uint32_t i = 0; i < count_; ++i) {
    Chunk& chunk = *sorted_[i];
    chunk.first = number;
    uint32_t within = 0;
    for (uint64_t at = 0; at < kWords; ++at) {
      if (at % 8 == 0) chunk.ranks[at / 8] = within;
      within += static_cast<uint32_t>(std::popcount(chunk.bits[at]));
    }
    number += within;
  }
  return number;
}

uintptr_t ObjectMap::last_at_or_before(uintptr_t address, uintptr_t most) const {
  const uintptr_t lowest = address > most ? address - most : 0;
  for (;;) {
    const Chunk* const chunk = chunk_of(address);
    if (chunk != nullptr) {
      const uint64_t word = (address & kChunkMask) >> 3;
      uint64_t at = word >> 6;
      uint64_t bits = chunk->bits[at] & (~uint64_t{0} >> (63 - (word & 63)));
      while (bits == 0 && at != 0) bits = chunk->bits[--at];
      if (bits != 0) return chunk->start + ((at << 6 | static_cast<uint64_t>(63 - std::countl_zero(bits))) << 3);
    }
    const uintptr_t start = address >> kChunkShift << kChunkShift;
    if (start == 0 || start - 1 < lowest) return 0;
    address = start - 1;
  }
}

}  // namespace oriel
