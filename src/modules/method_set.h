// A set of methods by their ids: those that a module's filter said yes to. The engine puts in what any
// profiler asked for, so that callbacks hear of others' methods too; here they tell them apart. Its memory is never
// given back: callbacks may still run while the process exits.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstdint>
#include <new>

namespace oriel::modules {

class MethodSet {
 public:
  MethodSet() = default;
  MethodSet(const MethodSet&) = delete;
  MethodSet& operator=(const MethodSet&) = delete;

  // Any thread, no lock. False without memory, or if the id exceeds what a process can hold.
  bool add(uint32_t id) {
    Chunk* chunk = chunk_of(id);
    if (chunk == nullptr) return false;
    (*chunk)[word_in(id)].fetch_or(bit_of(id), std::memory_order_relaxed);
    return true;
  }

  // Any thread, no lock.
  void remove(uint32_t id) {
    if (id >> kChunkBits >= kChunks) return;
    Chunk* chunk = chunks_[id >> kChunkBits].load(std::memory_order_acquire);
    if (chunk != nullptr) (*chunk)[word_in(id)].fetch_and(~bit_of(id), std::memory_order_relaxed);
  }

  // Calls visit(id) for each that is in it, in ascending order; others may come and go meanwhile.
  template <typename Visit>
  void for_each(Visit visit) const {
    for (size_t i = 0; i < kChunks; ++i) {
      const Chunk* chunk = chunks_[i].load(std::memory_order_acquire);
      for (size_t word = 0; chunk != nullptr && word < kWords; ++word) {
        uint64_t bits = (*chunk)[word].load(std::memory_order_relaxed);
        for (; bits != 0; bits &= bits - 1)
          visit(static_cast<uint32_t>(i << kChunkBits | word << kWordBits |
                                      static_cast<unsigned>(std::countr_zero(bits))));
      }
    }
  }

  // Two loads and a bit's test. Any thread, async-safe.
  bool contains(uint32_t id) const {
    if (id >> kChunkBits >= kChunks) return false;
    const Chunk* chunk = chunks_[id >> kChunkBits].load(std::memory_order_acquire);
    return chunk != nullptr && ((*chunk)[word_in(id)].load(std::memory_order_relaxed) & bit_of(id)) != 0;
  }

 private:
  static constexpr unsigned kChunkBits = 16, kWordBits = 6;
  static constexpr size_t kChunks = 4096;  // 268 million methods
  static constexpr size_t kWords = size_t{1} << (kChunkBits - kWordBits);
  using Chunk = std::array<std::atomic<uint64_t>, kWords>;

  static size_t word_in(uint32_t id) { return (id & ((1u << kChunkBits) - 1)) >> kWordBits; }
  static uint64_t bit_of(uint32_t id) { return uint64_t{1} << (id & ((1u << kWordBits) - 1)); }

  Chunk* chunk_of(uint32_t id) {
    if (id >> kChunkBits >= kChunks) return nullptr;
    std::atomic<Chunk*>& slot = chunks_[id >> kChunkBits];
    Chunk* chunk = slot.load(std::memory_order_acquire);
    if (chunk != nullptr) return chunk;
    auto* fresh = new (std::nothrow) Chunk{};
    if (fresh == nullptr || slot.compare_exchange_strong(chunk, fresh, std::memory_order_acq_rel)) return fresh;
    delete fresh;  // another thread was faster
    return chunk;
  }

  std::array<std::atomic<Chunk*>, kChunks> chunks_{};
};

}  // namespace oriel::modules
