// Processor of tracked objects: keeps the sampled objects that are live when the log ends.
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
  // Returns whether the event ended the tracking of an object. Allocation events are processed by others too. `thread`
  // is an index into the profile's threads; `stack` one into its nodes, 0 if not known.
  bool add(uint32_t thread, const log::Event& event, uint32_t stack);
  // Adds the objects to the profile, which must have its collections, and the types that occur.
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

  std::unordered_map<uint64_t, One> there_;  // live objects by number
  std::unordered_set<uint64_t> ended_;       // ended before their start was read, which may be in another thread's
                                             // block
  uint64_t part_ = 1;
  uint64_t samples_ = 0;
  uint64_t bytes_ = 0;
  uint64_t first_counter_ = UINT64_MAX;
};

}  // namespace oriel::profile
