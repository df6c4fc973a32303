// Processor of async events: reconstructs calls and waits from the events of all threads.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "oriel/oriel.h"
#include "profile/build/async/async_handed.h"
#include "profile/build/async/async_stacks.h"
#include "profile/build/clock_map.h"
#include "profile/build/incoming.h"
#include "profile/build/names.h"
#include "profile/functions.h"
#include "profile/profile.h"

namespace oriel::profile {

// One event, as logged.
struct AsyncMark {
  int64_t ns = 0;          // the counter, until all events are read
  uint64_t method = 0;     // id
  uint64_t exception = 0;  // id of its class, 0 if none; only for complete
  uint32_t thread = 0;     // index into threads
  uint32_t number = 0;     // oriel_event_async_resume, _suspend or _complete
  uint32_t task = 0;       // 0 if not yet known
  uint32_t awaited = 0;    // awaited task; only for suspend, like il
  uint32_t il = 0;
};

// What each await awaits, by method and IL offset.
using AwaitedNames = std::map<std::pair<uint64_t, uint32_t>, std::string>;

class AsyncRuns {
 public:
  // Keeps physical stacks for samples.
  void keep_physical_stacks() { physical_stacks_ = true; }
  // Adds calls, waits and the nodes of these to the profile, and the functions that they meet; moves samples, of
  // running and of waiting threads. Returns where other stacks stand.
  LogicalStacks finish(const Names& names, const ClockMap& clock, Functions& functions, Profile& profile);

  void name_awaited(const Incoming& told);
  void hand_over(const Incoming& told);
  void mark(const Incoming& told);
  static constexpr Taking<AsyncRuns> kTakes[] = {
      {oriel_event_async_site, &AsyncRuns::name_awaited}, {oriel_event_async_handed, &AsyncRuns::hand_over},
      {oriel_event_async_resume, &AsyncRuns::mark},       {oriel_event_async_suspend, &AsyncRuns::mark},
      {oriel_event_async_complete, &AsyncRuns::mark},
  };

 private:
  QueuedMethods of_state_machines(const Names& names) const;

  bool physical_stacks_ = false;
  std::vector<AsyncMark> marks_;
  AwaitedNames awaited_;
  QueuedMethods handed_;  // by the id of the queued method
};

}  // namespace oriel::profile
