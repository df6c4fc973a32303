// Tables of the runtime's things: id → record and runtime id → record; both have lock-free readers.
#pragma once

#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "engine/things/key_table.h"

namespace oriel {

// Records by dense id from 1. Grows by segments that never move, so readers need no lock. Never destroyed.
template <typename Record>
class IdTable {
 public:
  // Gives the record the next id and publishes it to readers. The table never frees records.
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

// Key → record, in shards: lock-free lookup, changes under the shard's lock. No lock is held while calling out, except
// for `make`, which must only build the record.
template <typename Record>
class InternMap {
 public:
  // Neither locks nor allocates. Async-safe.
  Record* find(uint64_t key) const { return shards_[shard_of(key)].records.find(key); }

  template <typename Make>
  Record* find_or_make(uint64_t key, Make make) {
    if (Record* const known = find(key)) return known;
    Shard& shard = shards_[shard_of(key)];
    const std::lock_guard guard(shard.lock);
    if (Record* const known = shard.records.find(key)) return known;
    shard.records.reserve();
    Record* const made = make();
    shard.records.put(key, made);
    return made;
  }

  // Replaces the key's record.
  void put(uint64_t key, Record* record) {
    Shard& shard = shards_[shard_of(key)];
    const std::lock_guard guard(shard.lock);
    shard.records.reserve();
    shard.records.put(key, record);
  }

  // Removes the key if it still has this record.
  void forget(uint64_t key, const Record* record) {
    Shard& shard = shards_[shard_of(key)];
    const std::lock_guard guard(shard.lock);
    if (shard.records.find(key) == record) shard.records.put(key, nullptr);
  }

 private:
  struct alignas(64) Shard {
    std::mutex lock;
    KeyTable<Record> records;
  };

  static size_t shard_of(uint64_t key) { return static_cast<size_t>((key * 0x9E3779B97F4A7C15u) >> 58); }

  std::array<Shard, 64> shards_;
};

}  // namespace oriel
