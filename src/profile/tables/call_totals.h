// What a log's calls and allocations add up to, and what is missing of them.
#pragma once

#include <cstdint>

#include "profile/table/field.h"

namespace oriel::profile {

struct CallTotal {
  bool aggregated = false;  // of call graphs: without times of single calls
  uint64_t enters = 0;
  uint64_t allocated = 0;           // objects
  uint64_t allocation_samples = 0;  // if there are any, all figures of objects are estimates from them
  uint64_t without_enter = 0;       // leaves of calls that began before they were logged
  uint64_t without_leave = 0;       // calls that ended unseen, with a caller's end or where events were lost
  uint64_t gaps = 0;                // times that events were lost and a thread's stack with them
  uint64_t lost_events = 0;         // in these
  uint64_t folded = 0;              // calls and allocations counted with their callers: too many ways to keep apart
  uint32_t process = 0;

  static constexpr auto described() {
    using namespace table;
    using Row = CallTotal;
    return describe(
        Order::kAsTold, Part::kWhole, field<Kind::kProcess>("process", &Row::process, "whose calls they are"),
        field<Kind::kFlag>("aggregated", &Row::aggregated, "counted in the process, without times of single calls"),
        field<Kind::kCount>("enters", &Row::enters, "calls that began"),
        field<Kind::kCount>("allocated", &Row::allocated, "objects"),
        field<Kind::kCount>("allocation_samples", &Row::allocation_samples,
                            "from which figures of objects are estimates, if there are any"),
        field<Kind::kCount>("without_enter", &Row::without_enter, "leaves of calls that began before they were logged"),
        field<Kind::kCount>("without_leave", &Row::without_leave,
                            "calls that ended unseen, with a caller's end or where events were lost"),
        field<Kind::kCount>("gaps", &Row::gaps, "times that events were lost, and a thread's open calls with them"),
        field<Kind::kCount>("lost_events", &Row::lost_events, "in these"),
        field<Kind::kCount>("folded", &Row::folded,
                            "calls and allocations counted with their callers: too many ways to keep apart"));
  }
};

}  // namespace oriel::profile
