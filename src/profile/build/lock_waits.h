// Processor of contention events.
#pragma once

#include <cstdint>
#include <vector>

#include "log/event.h"
#include "profile/build/clock_map.h"
#include "profile/build/names.h"
#include "profile/build/threads.h"
#include "profile/functions.h"
#include "profile/profile.h"

namespace oriel::profile {

class LockWaits {
 public:
  // Returns whether the event was one of these. `thread` is an index into the profile's threads; `stack` one into its
  // nodes, 0 if not known.
  bool add(uint32_t thread, const log::Event& event, uint32_t stack, Threads& threads);
  // Adds the waits to the profile, and the functions that occur.
  void finish(const Names& names, const ClockMap& clock, Functions& functions, Profile& profile) const;

 private:
  struct Wait {
    uint64_t counter;
    uint64_t klass;
    LockWait wait;
  };
  std::vector<Wait> waits_;
};

}  // namespace oriel::profile
