// Which phase of the garbage collector a time falls into, from what the runtime tells of their times.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "profile/tables/gc_stretches.h"

namespace oriel::profile {

struct Profile;

// Which phase the collector was in, from Profile::gc_stretches.
class GcPhaseFinder {
 public:
  explicit GcPhaseFinder(const Profile& profile);

  bool empty() const { return pauses_.empty() && background_.empty(); }
  // The phase that a thread's work for the collector at `ns` belongs to; nullptr if the log does not tell.
  const GcPhase* at(int64_t ns, uint32_t thread) const;

 private:
  using Stretches = std::vector<GcStretch>;  // by start, apart
  const Profile& profile_;
  std::map<uint32_t, Stretches> of_thread_;
  std::map<uint32_t, Stretches> pauses_;      // by process
  std::map<uint32_t, Stretches> background_;  // likewise
};

}  // namespace oriel::profile
