// Processor of tracked objects: keeps the sampled objects that are live when the log ends.
#pragma once

#include <cstdint>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "log/event.h"
#include "oriel/oriel.h"
#include "profile/build/async/async_stacks.h"
#include "profile/build/clock_map.h"
#include "profile/build/incoming.h"
#include "profile/build/names.h"
#include "profile/functions.h"
#include "profile/profile.h"

namespace oriel::profile {

class Followed {
 public:
  // Adds them to the profile, which has its collections, and the types that they meet.
  void finish(const Names& names, const ClockMap& clock, LogicalStacks& logical, Functions& functions,
              Profile& profile) const;

  void begin(const Incoming& told);
  void end(const Incoming& told);
  void set_part(const Incoming& told);
  static constexpr Taking<Followed> kTakes[] = {
      {oriel_event_gc_allocation_followed, &Followed::begin},
      {oriel_event_gc_followed_gone, &Followed::end},
      {oriel_event_gc_followed_part, &Followed::set_part},
  };

 private:
  struct One {
    uint64_t counter = 0;
    uint64_t klass = 0;
    uint64_t size = 0;
    uint64_t represented = 0;
    uint32_t thread = 0;
    uint32_t stack = 0;
  };

  std::unordered_map<uint64_t, One> there_;  // live objects by number
  std::unordered_set<uint64_t> ended_;       // ended before their start was read, which may be in another thread's
                                             // block
  uint64_t part_ = 1;
  uint64_t samples_ = 0;
  uint64_t bytes_ = 0;
  uint64_t first_counter_ = UINT64_MAX;
};

}  // namespace oriel::profile
