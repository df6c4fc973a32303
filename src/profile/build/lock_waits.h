// Processor of contention events.
#pragma once

#include <cstdint>
#include <vector>

#include "oriel/oriel.h"
#include "profile/build/clock_map.h"
#include "profile/build/incoming.h"
#include "profile/build/names.h"
#include "profile/functions.h"
#include "profile/profile.h"

namespace oriel::profile {

class LockWaits {
 public:
  // Adds them to the profile, and the functions that they meet.
  void finish(const Names& names, const ClockMap& clock, Functions& functions, Profile& profile) const;

  void add(const Incoming& told);
  static constexpr Taking<LockWaits> kTakes[] = {{oriel_event_monitor_acquired, &LockWaits::add}};

 private:
  struct Wait {
    uint64_t counter;
    uint64_t klass;
    LockWait wait;
  };
  std::vector<Wait> waits_;
};

}  // namespace oriel::profile
