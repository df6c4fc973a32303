// Maps a log's raw counters to nanoseconds since its start, by interpolation between its CLOCK pairs.
//
// The system clock may be set while a program runs, and a pair may be read late. A segment whose rate differs from the
// median rate by more than a factor of two takes the median rate, so times stay monotone and durations plausible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/clock.h"

namespace oriel::profile {

class ClockMap {
 public:
  void add(const ClockPair& pair) { pairs_.push_back(pair); }

  // Call it after the last add and before the first ns. `start` is the log's first CLOCK, which is time 0.
  // `fallback_rate`, nanoseconds per count, is for logs in which no time passes between pairs.
  void seal(const ClockPair& start, double fallback_rate);

  // Nanoseconds since the start, 0 for what comes before it; monotone in `counter`. Fastest with rising counters.
  int64_t ns(uint64_t counter) const;

  // Nanoseconds per count from `first` to `last`; 1 if that is no time. A whole log's: a short distance between clock
  // pairs is too coarse for timing single calls.
  double ns_a_count(uint64_t first, uint64_t last) const;

  // How long that many counts are, at the log's median rate.
  int64_t duration_ns(uint64_t counts) const;

  // The first counter at or after `ns`; UINT64_MAX if there is none.
  uint64_t counter_at(int64_t ns) const;

  // Time of the last CLOCK.
  int64_t last_ns() const;
  // Whether the rate comes from the log; else it is the fallback.
  bool rate_known() const { return rate_known_; }

 private:
  struct Segment {
    uint64_t counter = 0;  // its start
    double ns = 0;         // its start, since the first segment's
    double rate = 1;       // nanoseconds per count
  };
  std::vector<ClockPair> sorted_anchors();
  double median_rate(const std::vector<ClockPair>& anchors, double fallback);
  double position(uint64_t counter) const;

  std::vector<ClockPair> pairs_;
  std::vector<Segment> segments_;
  double origin_ = 0;
  uint64_t last_counter_ = 0;
  bool rate_known_ = false;
  mutable size_t hint_ = 0;  // segment of the last lookup
};

}  // namespace oriel::profile
