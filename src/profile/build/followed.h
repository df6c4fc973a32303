// Processor of sampled objects that the log follows: keeps those that are still there when it ends.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "log/event.h"
#include "profile/build/async/async_stacks.h"
#include "profile/build/clock_map.h"
#include "profile/build/names.h"
#include "profile/functions.h"
#include "profile/profile.h"

namespace oriel::profile {

class Followed {
 public:
  // Whether it was an event of objects that are no longer followed. Those of allocations are for others too. `thread`:
  // index into the profile's threads; `stack`: into its nodes, 0 if not known.
  bool add(uint32_t thread, const log::Event& event, uint32_t stack);
  // Adds them to the profile, which has its collections, and the types that they meet.
  void finish(const Names& names, const ClockMap& clock, LogicalStacks& logical, Functions& functions,
              Profile& profile) const;

 private:
  struct One {
    uint64_t counter = 0;
    uint64_t klass = 0;
    uint64_t size = 0;
    uint64_t represented = 0;
    uint32_t thread = 0;
    uint32_t stack = 0;
  };
  void begin(uint32_t thread, const log::Event& event, uint32_t stack);
  void end(uint64_t number);

  std::unordered_map<uint64_t, One> there_;  // by number
  std::unordered_set<uint64_t> ended_;       // of which the log tells the end first, as it is another thread's
  uint64_t part_ = 1;
  uint64_t samples_ = 0;
  uint64_t bytes_ = 0;
  uint64_t first_counter_ = UINT64_MAX;
};

}  // namespace oriel::profile
