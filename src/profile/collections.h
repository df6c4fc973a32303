// Processor of garbage collections and of the times in which the runtime stopped the program.
//
// Begin, end, suspension and resumption may come from different threads, and threads' blocks come in any order: all are
// gathered and put in order of time at the end.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "log/event.h"
#include "profile/clock_map.h"
#include "profile/profile.h"

namespace oriel::profile {

class Collections {
 public:
  // Whether the event was one of these.
  bool add(const log::Event& event);
  void finish(const ClockMap& clock, Profile& profile);

 private:
  struct Record {
    uint64_t counter = 0;
    uint32_t event = 0;
    uint64_t values[3] = {};
  };
  void match_collections(const ClockMap& clock, Profile& profile) const;
  void match_pauses(const ClockMap& clock, Profile& profile) const;

  std::vector<Record> records_;
};

// Sums over the collections of a profile.
struct GcTotals {
  struct Generation {
    uint64_t count = 0;
    uint64_t induced = 0;
    int64_t pause_ns = 0;
    int64_t longest_ns = 0;
  };
  uint64_t count = 0;
  uint64_t induced = 0;
  int64_t pause_ns = 0;
  int64_t longest_ns = 0;
  int64_t longest_at_ns = 0;  // when the collection with the longest pause began
  std::map<uint32_t, Generation> by_generation;
};

GcTotals gc_totals(const Profile& profile);

}  // namespace oriel::profile
