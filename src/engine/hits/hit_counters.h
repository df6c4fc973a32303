// One-byte counters that say whether code ran, and each profiler's view of them: all share the bytes, but each may be
// reset separately.
#pragma once

#include <cstdint>

#include "engine/hits/views.h"

namespace oriel::hits {

// The owner's lock guards it. Code stores to the bytes concurrently.
class HitCounters {
 public:
  explicit HitCounters(CounterFile& file) : file_(file) {}

  // Allocates consecutive counters, zeroed; nullptr without memory. Never freed.
  uint8_t* take(uint32_t count, uint64_t& first);
  // Adds a profiler's view.
  void add(const oriel_profiler_desc* profiler) { views_.try_emplace(profiler); }
  // The file belongs to this profiler's log, so its view is kept in the file too.
  void set_owner(const oriel_profiler_desc* owner) { owner_ = owner; }

  // Ends the profiler's period: ran_in_ended_period() then reports its hits, and a new period starts empty. False
  // without memory: nothing has changed.
  bool end_period(const oriel_profiler_desc* profiler);
  // Drops the data of the ended period.
  void forget_ended(const oriel_profiler_desc* profiler);

  bool ran(const oriel_profiler_desc* profiler, uint64_t counter) const;
  bool ran_in_ended_period(const oriel_profiler_desc* profiler, uint64_t counter) const;  // in the period that it ended
  // Whether any of these counters, which belong to one method, were hit in that period.
  bool any_ran_in_ended_period(const oriel_profiler_desc* profiler, uint64_t first, uint32_t count) const;
  // Whether all of these are set, in whatever period.
  static bool all_hit(const uint8_t* first, uint32_t count);
  // Whether any profiler was ever reset.
  bool was_reset() const { return was_reset_; }

 private:
  using Segment = coverage_file::Segment;

  bool make_room_to_end(View& own, bool in_file);
  bool is_set(const Areas& areas, uint64_t counter) const;

  CounterFile& file_;
  CounterFile no_file_;
  const oriel_profiler_desc* owner_ = nullptr;
  Areas chunks_;       // by number of their first counter
  uint64_t next_ = 0;  // number of the next counter
  Views views_;
  bool was_reset_ = false;
};

}  // namespace oriel::hits
