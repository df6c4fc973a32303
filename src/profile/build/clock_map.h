// From a log's raw counters to nanoseconds since its start, by interpolating between the CLOCK pairs in it.
//
// The time of day may be set while a program runs, and a pair may be read a little late. A stretch between two pairs
// that runs more than twice as fast or slow as the median stretch is therefore taken at the median rate instead: times
// stay monotone and durations honest, whatever the clock on the wall did.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/clock.h"

namespace oriel::profile {

class ClockMap {
 public:
  void add(const ClockPair& pair) { pairs_.push_back(pair); }

  // To be called after the last add and before the first ns. `start` is the log's first CLOCK and its time zero.
  // `fallback_rate`, nanoseconds a count, is for logs in which no time passes between the pairs.
  void seal(const ClockPair& start, double fallback_rate);

  // Nanoseconds since the start, 0 for what comes before it; monotone in `counter`. Fastest with rising counters.
  int64_t ns(uint64_t counter) const;

  // The first counter that is not before `ns`; UINT64_MAX if none is.
  uint64_t counter_at(int64_t ns) const;

  // Of the last CLOCK.
  int64_t last_ns() const;
  // Whether the rate is known from the log, and not the fallback.
  bool rate_known() const { return rate_known_; }

 private:
  struct Segment {
    uint64_t counter = 0;  // where it starts
    double ns = 0;         // there, since the first segment
    double rate = 1;       // nanoseconds a count
  };
  std::vector<ClockPair> sorted_anchors();
  double median_rate(const std::vector<ClockPair>& anchors, double fallback);
  double position(uint64_t counter) const;

  std::vector<ClockPair> pairs_;
  std::vector<Segment> segments_;
  double origin_ = 0;
  uint64_t last_counter_ = 0;
  bool rate_known_ = false;
  mutable size_t hint_ = 0;  // the segment of the last call
};

}  // namespace oriel::profile
