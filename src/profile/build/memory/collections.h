// Processor of garbage collections and suspensions by the runtime.
//
// Begin, end, suspension and resumption may come from different threads, and threads' blocks come in any order, so all
// records are collected and sorted by time at the end.
#pragma once

#include <cstdint>
#include <vector>

#include "log/event.h"
#include "oriel/oriel.h"
#include "profile/build/clock_map.h"
#include "profile/build/incoming.h"
#include "profile/build/memory/gc_timeline.h"
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

}  // namespace oriel::profile
