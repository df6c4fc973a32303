// Processor of garbage collections and of the times in which the runtime stopped the program.
//
// Begin, end, suspension and resumption may come from different threads, and threads' blocks come in any order: all are
// gathered and put in order of time at the end.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "log/event.h"
#include "profile/build/clock_map.h"
#include "profile/build/gc_timeline.h"
#include "profile/profile.h"

namespace oriel::profile {

class Collections {
 public:
  // Whether the event was one of these.
  bool add(uint32_t thread, const log::Event& event);
  // What they take in memory until then.
  uint64_t bytes() const { return records_.capacity() * sizeof(GcRecord); }
  void finish(const ClockMap& clock, Profile& profile);

 private:
  void match_collections(const ClockMap& clock, Profile& profile) const;
  void match_pauses(const ClockMap& clock, Profile& profile) const;
  void add_heaps(Profile& profile) const;

  std::vector<GcRecord> records_;
};

// The collection that a pause was for: of those that ran in it, the one that began last, since a collection that runs
// beside the program for long is interrupted by short ones. nullptr if none did; `collections` by start.
Collection* collection_of(const Pause& pause, std::vector<Collection>& collections);

// Sums over the collections of a profile.
struct GcTotals {
  struct Generation {
    uint64_t count = 0;
    uint64_t induced = 0;
    int64_t pause_ns = 0;
    int64_t longest_ns = 0;
    GcPhaseTimes phases = {};
  };
  uint64_t count = 0;
  uint64_t induced = 0;
  int64_t pause_ns = 0;
  int64_t induced_pause_ns = 0;  // of it
  int64_t longest_ns = 0;
  int64_t longest_at_ns = 0;  // when the collection with the longest pause began
  GcPhaseTimes phases = {};
  std::map<uint32_t, Generation> by_generation;
};

GcTotals gc_totals(const Profile& profile);

}  // namespace oriel::profile
