// The run in parts of one length, and what its threads did in each.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "profile/profile.h"
#include "profile/waiting/waits.h"

namespace oriel::profile {

// Of the run, or of what the filter keeps of it.
struct Parts {
  int64_t begin_ns = 0;
  int64_t end_ns = 1;
  uint32_t count = 1;

  // Of a time before it or after it the first or last.
  uint32_t of(int64_t ns) const;
  double length_ns() const { return static_cast<double>(end_ns - begin_ns) / count; }
};
// The parts that a time meets which ends there, each with its share of it, in their order: 1 in all. At least one.
std::vector<std::pair<uint32_t, double>> parts_before(int64_t end_ns, int64_t ns, const Parts& parts);
// How long a sample stands for; 0 where the log does not tell.
int64_t length_ns(const Sample& sample, const Profile& profile);

Parts parts_of_run(const Profile& profile, uint32_t count);

struct Lane {
  uint32_t thread = 0;          // index into threads
  std::vector<float> ran;       // by part: the share of it that the thread was on a processor, 0 to 1
  std::vector<uint32_t> waits;  // by part: what it waited for longest, index into Waits::rows; kNoRow: it did not
  int64_t ns = 0;               // that it ran and waited
};

struct Lanes {
  std::vector<Lane> longest;  // those that ran and waited longest first
  size_t all = 0;             // threads that ran or waited
};

// Of `most` threads, by samples; none where the log does not tell how long one stands for. `waits` are the profile's.
Lanes lanes(const Profile& profile, const Waits& waits, const Parts& parts, size_t most);

}  // namespace oriel::profile
