// Processor of what code tells of its awaits; makes the calls and waits that were replayed (async_replay.h) the
// profile's.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "oriel/oriel.h"
#include "profile/build/async/async_replay.h"
#include "profile/build/async/async_stacks.h"
#include "profile/build/clock_map.h"
#include "profile/build/incoming.h"
#include "profile/build/names.h"
#include "profile/functions.h"
#include "profile/profile.h"

namespace oriel::profile {

// What each await awaits, by method and IL offset.
using AwaitedNames = std::map<std::pair<uint64_t, uint32_t>, std::string>;

class AsyncRuns {
 public:
  // Keeps physical stacks for samples.
  void keep_physical_stacks() { physical_stacks_ = true; }
  // Adds calls, waits and the nodes of these to the profile, and the functions that they meet; moves samples, of
  // running and of waiting threads. Returns where other stacks stand.
  LogicalStacks finish(AsyncMarks& marks, const Names& names, const ClockMap& clock, Functions& functions,
                       Profile& profile);

  void name_awaited(const Incoming& told);
  void hand_over(const Incoming& told);
  static constexpr Taking<AsyncRuns> kTakes[] = {
      {oriel_event_async_site, &AsyncRuns::name_awaited},
      {oriel_event_async_handed, &AsyncRuns::hand_over},
  };

 private:
  QueuedMethods of_state_machines(const AsyncMarks& marks, const Names& names) const;

  bool physical_stacks_ = false;
  AwaitedNames awaited_;
  QueuedMethods handed_;  // by the id of the queued method
};

}  // namespace oriel::profile
