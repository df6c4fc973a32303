// Tables that handlers of samples read: entries are added in front, and stay as long as the process.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace oriel::mono_modules {

// Entries by a key's hash, those added last first. `Entry` has a member `Entry* before`.
template <typename Entry, unsigned kBits>
class UndyingTable {
 public:
  // Those that may be of the key; nullptr: none. Any thread; async-safe.
  const Entry* of(uintptr_t key) const { return latest_[slot_of(key)].load(std::memory_order_acquire); }
  // One thread at a time. The entry must stay.
  void add(uintptr_t key, Entry* entry) {
    std::atomic<Entry*>& latest = latest_[slot_of(key)];
    entry->before = latest.load(std::memory_order_relaxed);
    latest.store(entry, std::memory_order_release);
  }

 private:
  static size_t slot_of(uintptr_t key) { return key * 0x9E37'79B9'7F4A'7C15u >> (64 - kBits); }

  std::array<std::atomic<Entry*>, size_t{1} << kBits> latest_{};
};

// Made by the compiler where it is constinit: the first to ask may be a handler of samples, which interrupted an
// allocation. Not destroyed, as threads may still ask as the process ends.
template <typename Value>
union Undying {
  constexpr Undying() : value() {}
  ~Undying() {}
  Value value;
};

}  // namespace oriel::mono_modules
