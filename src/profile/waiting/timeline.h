// The run divided into equal parts, and what its threads did in each.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "profile/profile.h"
#include "profile/waiting/waits.h"

namespace oriel::profile {

// Parts of the run, or of the filter's time range.
struct Parts {
  int64_t begin_ns = 0;
  int64_t end_ns = 1;
  uint32_t count = 1;

  // The part at that time; the first or last for times outside.
  uint32_t of(int64_t ns) const;
  double length_ns() const { return static_cast<double>(end_ns - begin_ns) / count; }
};
// The parts that an interval of `ns` nanoseconds before `end_ns` overlaps, with the fraction in each, in order.
// Fractions add up to 1; there is at least one.
std::vector<std::pair<uint32_t, double>> parts_before(int64_t end_ns, int64_t ns, const Parts& parts);
// Likewise those that a sample's time overlaps.
std::vector<std::pair<uint32_t, double>> parts_of(const Sample& sample, const Profile& profile, const Parts& parts);
// The time that a sample stands for, in nanoseconds; 0 if the log does not say.
int64_t length_ns(const Sample& sample, const Profile& profile);
// Where that time lies: just before the sample; or, where a sample stands for several, anywhere about it in the life of
// its thread, with the same part of it in each moment.
struct Span {
  int64_t from_ns = 0;
  int64_t to_ns = 0;
};
Span span_of(const Sample& sample, const Profile& profile);

Parts parts_of_run(const Profile& profile, uint32_t count);

struct Lane {
  uint32_t thread = 0;          // index into threads
  std::vector<float> ran;       // by part: fraction of it on CPU, 0 to 1
  std::vector<uint32_t> waits;  // by part: its longest wait, index into WaitTotals::rows; kNoRow if it did not wait
  int64_t ns = 0;               // running and waiting time
};

struct Lanes {
  std::vector<Lane> longest;  // by running and waiting time, descending
  size_t all = 0;             // number of threads that ran or waited
};

// Lanes of at most `most` threads. None if the log does not say how long a sample is. `waits` are the profile's.
Lanes lanes(const Profile& profile, const WaitTotals& waits, const Parts& parts, size_t most);

}  // namespace oriel::profile
