// Processor of heap snapshots: what they count.
#pragma once

#include <vector>

#include "log/heap_roots.h"
#include "profile/build/clock_map.h"
#include "profile/build/names.h"
#include "profile/build/threads.h"
#include "profile/functions.h"
#include "profile/profile.h"

namespace oriel::profile {

class HeapSnapshots {
 public:
  void add(const log::HeapSnapshot& told, Threads& threads);
  void finish(const Names& names, const ClockMap& clock, Functions& functions, Profile& profile);

 private:
  struct OfType {
    uint64_t number = 0, klass = 0, objects = 0, bytes = 0;
  };
  struct Snapshot {
    uint64_t counter = 0;
    HeapSnapshot row;
    std::vector<OfType> types;
    log::HeapRootGroups roots;
    std::vector<uint32_t> threads;  // of each group of roots
  };
  std::vector<Snapshot> snapshots_;
};

}  // namespace oriel::profile
