// What the heap's sizes after collections say of the whole run.
#pragma once

#include <cstdint>
#include <optional>

#include "profile/profile.h"

namespace oriel::profile {

// Over the collections whose sizes the log tells, of one process.
struct HeapOfRun {
  HeapSizes first, last, most;  // after the first, the last, and the one that left most
  uint64_t collections = 0;
};
// None where the log does not tell, or is of several processes, whose heaps have nothing to do with each other.
std::optional<HeapOfRun> heap_of_run(const Profile& profile);

// The same for collections of all generations alone, which leave what is still in use.
struct HeapGrowth {
  uint64_t first = 0;  // bytes
  uint64_t last = 0;
  uint64_t collections = 0;
  int64_t ns = 0;  // between the two
  // It grew from each third of them to the next, by much in all, and goes on to where the log ends: a heap that is
  // filled once and then stays does not.
  bool goes_on = false;
};
std::optional<HeapGrowth> heap_growth(const Profile& profile);

}  // namespace oriel::profile
