// What the runtime says was allocated, and what Oriel's probes say, by class.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>

namespace peer {

struct Tally {
  std::atomic<uint64_t> count{0};
  std::atomic<uint64_t> bytes{0};
  void add(uint64_t size) {
    count.fetch_add(1, std::memory_order_relaxed);
    bytes.fetch_add(size, std::memory_order_relaxed);
  }
};

enum class Places : uint8_t { kUnknown, kNo, kYes };

struct Row {
  std::atomic<uintptr_t> class_id{0};
  Tally runtime;  // ObjectAllocated
  Tally probes;   // gc_allocation
  std::atomic<Places> places{Places::kUnknown};
};

inline constexpr uint32_t kRows = 1 << 16;
extern Row rows[kRows];

// The row of a class by the runtime's id. Any thread; takes no lock and allocates nothing.
Row& row_of(uintptr_t class_id);

// Counts one allocation of a class at a place, which is text: "runtime A < B < C" or "probes A". Takes a lock.
void add_place(uintptr_t class_id, std::string place);

// Writes what was counted to stderr: "class: RUNTIME-COUNT RUNTIME-BYTES PROBES-COUNT PROBES-BYTES NAME", and the
// places, "place: COUNT NAME: PLACE".
void print(std::string (*name_of)(uintptr_t class_id));

}  // namespace peer
