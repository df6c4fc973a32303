// Counters of one byte each that say whether code ran, and what each profiler has seen of them: all count in the same
// bytes, but each may begin anew on its own.
#pragma once

#include <cstdint>

#include "engine/coverage/views.h"

namespace oriel::coverage {

// Under the lock of whoever has it. Code stores to the bytes meanwhile.
class HitCounters {
 public:
  explicit HitCounters(CounterFile& file) : file_(file) {}

  // So many counters one behind the other, all 0; nullptr without memory. They are the process's for good.
  uint8_t* take(uint32_t count, uint64_t& first);
  // The profiler sees them.
  void add(const oriel_profiler_desc* profiler) { views_.try_emplace(profiler); }
  // It is the one whose log the file stands beside: what it has seen lies in the file too.
  void set_owner(const oriel_profiler_desc* owner) { owner_ = owner; }

  // Ends the profiler's period: what ran in it are ended(), and nothing has run for it since. False without memory:
  // nothing has changed.
  bool end_period(const oriel_profiler_desc* profiler);
  // Nobody needs any more what it ended with.
  void forget_ended(const oriel_profiler_desc* profiler);

  bool ran(const oriel_profiler_desc* profiler, uint64_t counter) const;
  bool had_run(const oriel_profiler_desc* profiler, uint64_t counter) const;  // in the period that it ended
  // Whether any of these, one method's, had run.
  bool any_had_run(const oriel_profiler_desc* profiler, uint64_t first, uint32_t count) const;
  // Whether all of these are hit, since whenever.
  static bool all_hit(const uint8_t* first, uint32_t count);
  // Whether anybody has begun anew.
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

}  // namespace oriel::coverage
