// Tables of the runtime's things: id → record without a lock, runtime's id → record under one of many.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <unordered_map>

namespace oriel {

// Records by dense id from 1. Grows by segments that never move, so readers need no lock. Never destroyed.
template <typename Record>
class IdTable {
 public:
  // Gives the record the next id and shows it to readers. nullptr-safe memory is the caller's; the table never frees.
  void append(Record* record) {
    const std::lock_guard guard(append_lock_);
    const uint32_t index = count_.load(std::memory_order_relaxed);
    const Place place = place_of(index);
    std::atomic<Record*>* segment = segments_[place.segment].load(std::memory_order_relaxed);
    if (!segment) {
      segment = new std::atomic<Record*>[kFirst << place.segment]();
      segments_[place.segment].store(segment, std::memory_order_release);
    }
    record->id = index + 1;
    segment[place.offset].store(record, std::memory_order_release);
    count_.store(index + 1, std::memory_order_release);
  }

  // Async-safe.
  uint32_t count() const { return count_.load(std::memory_order_acquire); }

  // nullptr beyond count(). Async-safe.
  Record* get(uint32_t id) const {
    if (id == 0 || id > count()) return nullptr;
    const Place place = place_of(id - 1);
    return segments_[place.segment].load(std::memory_order_acquire)[place.offset].load(std::memory_order_acquire);
  }

 private:
  struct Place {
    uint32_t segment;
    uint32_t offset;
  };
  static constexpr uint32_t kFirst = 256;

  // Segment n holds kFirst << n records.
  static Place place_of(uint32_t index) {
    const uint64_t shifted = uint64_t{index} + kFirst;
    const auto segment = static_cast<uint32_t>(std::bit_width(shifted) - std::bit_width(uint64_t{kFirst}));
    return {segment, static_cast<uint32_t>(shifted - (uint64_t{kFirst} << segment))};
  }

  std::mutex append_lock_;
  std::atomic<uint32_t> count_{0};
  std::array<std::atomic<std::atomic<Record*>*>, 25> segments_{};
};

// Key → record, in shards with a lock each. No lock is held while anything outside is called, but for `make`, which
// must only build the record.
template <typename Record>
class InternMap {
 public:
  Record* find(uint64_t key) {
    Shard& shard = shard_of(key);
    const std::lock_guard guard(shard.lock);
    const auto it = shard.records.find(key);
    return it == shard.records.end() ? nullptr : it->second;
  }

  template <typename Make>
  Record* find_or_make(uint64_t key, Make make) {
    Shard& shard = shard_of(key);
    const std::lock_guard guard(shard.lock);
    Record*& slot = shard.records[key];
    if (!slot) slot = make();
    return slot;
  }

  // Replaces what the key led to.
  void put(uint64_t key, Record* record) {
    Shard& shard = shard_of(key);
    const std::lock_guard guard(shard.lock);
    shard.records[key] = record;
  }

  // Forgets the key if it still leads to this record.
  void forget(uint64_t key, const Record* record) {
    Shard& shard = shard_of(key);
    const std::lock_guard guard(shard.lock);
    const auto it = shard.records.find(key);
    if (it != shard.records.end() && it->second == record) shard.records.erase(it);
  }

 private:
  struct alignas(64) Shard {
    std::mutex lock;
    std::unordered_map<uint64_t, Record*> records;
  };

  Shard& shard_of(uint64_t key) { return shards_[(key * 0x9E3779B97F4A7C15u) >> 58]; }

  std::array<Shard, 64> shards_;
};

}  // namespace oriel
