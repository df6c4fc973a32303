// Trends of the heap size after collections.
#pragma once

#include <cstdint>
#include <optional>

#include "profile/profile.h"

namespace oriel::profile {

// Over collections with known heap sizes, in one process.
struct HeapHistory {
  HeapSizes first, last, most;  // after the first and the last collection, and the largest
  uint64_t collections = 0;
};
// nullopt if the log has no sizes, or for several processes, whose heaps are unrelated.
std::optional<HeapHistory> heap_history(const Profile& profile);

// Heap size after full collections, which leave only live objects.
struct HeapGrowth {
  uint64_t first = 0;  // bytes
  uint64_t last = 0;
  uint64_t collections = 0;
  int64_t ns = 0;  // between first and last
  // Whether the size grew from each third of them to the next, by a significant amount, and up to the end of the log;
  // false for a heap that is filled once and then stays.
  bool goes_on = false;
};
std::optional<HeapGrowth> heap_growth(const Profile& profile);

}  // namespace oriel::profile
