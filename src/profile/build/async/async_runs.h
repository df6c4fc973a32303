// Processor of what async methods tell: their calls, and the times that these waited, put together from what happened
// on all threads.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "log/event.h"
#include "profile/build/async/async_handed.h"
#include "profile/build/async/async_stacks.h"
#include "profile/build/clock_map.h"
#include "profile/build/names.h"
#include "profile/functions.h"
#include "profile/profile.h"

namespace oriel::profile {

// One event, as the log has it.
struct AsyncMark {
  int64_t ns = 0;          // the counter, until all are there
  uint64_t method = 0;     // id
  uint64_t exception = 0;  // its class's id, 0: none; of kComplete
  uint32_t thread = 0;     // index into threads
  uint32_t number = 0;     // oriel_event_async_resume, _suspend or _complete
  uint32_t task = 0;       // 0: not yet known
  uint32_t awaited = 0;    // task; of kSuspend, as the next
  uint32_t il = 0;
};

// What each await awaits, by method and place.
using AwaitedNames = std::map<std::pair<uint64_t, uint32_t>, std::string>;

class AsyncRuns {
 public:
  // Samples stay under what their threads' stacks show.
  void keep_physical_stacks() { physical_stacks_ = true; }
  // Whether the event was one of these. `thread`: index into the profile's threads.
  bool add(uint32_t thread, const log::Event& event);
  // Adds calls, waits and the nodes of these to the profile, and the functions that they meet; moves samples, of
  // running and of waiting threads. Returns where other stacks stand.
  LogicalStacks finish(const Names& names, const ClockMap& clock, Functions& functions, Profile& profile);

 private:
  Handings of_state_machines(const Names& names) const;

  bool physical_stacks_ = false;
  std::vector<AsyncMark> marks_;
  AwaitedNames awaited_;
  Handings handed_;  // by the id of the method that is handed over
};

}  // namespace oriel::profile
