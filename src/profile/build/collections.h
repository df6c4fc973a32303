// Processor of garbage collections and suspensions by the runtime.
//
// Begin, end, suspension and resumption may come from different threads, and threads' blocks come in any order, so all
// records are collected and sorted by time at the end.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "log/event.h"
#include "oriel/oriel.h"
#include "profile/build/clock_map.h"
#include "profile/build/gc_timeline.h"
#include "profile/build/incoming.h"
#include "profile/profile.h"

namespace oriel::profile {

class Collections {
 public:
  void finish(const ClockMap& clock, Profile& profile);

  void add(const Incoming& told);
  static constexpr Taking<Collections> kTakes[] = {
      {oriel_event_gc_begin, &Collections::add},        {oriel_event_gc_end, &Collections::add},
      {oriel_event_gc_marked, &Collections::add},       {oriel_event_gc_phases, &Collections::add},
      {oriel_event_gc_heap, &Collections::add},         {oriel_event_gc_triggered, &Collections::add},
      {oriel_event_gc_survived, &Collections::add},     {oriel_event_gc_free, &Collections::add},
      {oriel_event_suspend_begin, &Collections::add},   {oriel_event_suspend_end, &Collections::add},
      {oriel_event_suspend_aborted, &Collections::add}, {oriel_event_resume_end, &Collections::add},
      {log::Event::kGcStart, &Collections::add},        {log::Event::kGcEnd, &Collections::add},
  };

 private:
  void match_collections(const ClockMap& clock, Profile& profile) const;
  void match_pauses(const ClockMap& clock, Profile& profile) const;
  void add_heaps(Profile& profile) const;

  std::vector<GcRecord> records_;
};

// The collection of a pause: among those that ran in it, the last to start, because short collections interrupt a
// background collection. nullptr if there is none. `collections` must be sorted by start.
Collection* collection_of(const Pause& pause, std::vector<Collection>& collections);

// Totals of a profile's collections.
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
  int64_t induced_pause_ns = 0;  // of pause_ns
  int64_t longest_ns = 0;
  int64_t longest_at_ns = 0;  // start of the collection with the longest pause
  GcPhaseTimes phases = {};
  std::map<uint32_t, Generation> by_generation;
};

GcTotals gc_totals(const Profile& profile);

}  // namespace oriel::profile
