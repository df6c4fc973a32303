// The phase of the garbage collector at a time, from the runtime's events.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "profile/tables/gc_stretches.h"

namespace oriel::profile {

struct Profile;

// Finds phases in Profile::gc_stretches.
class GcPhaseFinder {
 public:
  explicit GcPhaseFinder(const Profile& profile);

  bool empty() const { return pauses_.empty() && background_.empty(); }
  // The phase of a thread's GC work at `ns`; nullptr if the log does not tell.
  const GcPhase* at(int64_t ns, uint32_t thread) const;

 private:
  using Stretches = std::vector<GcStretch>;  // by start, without overlap
  const Profile& profile_;
  std::map<uint32_t, Stretches> of_thread_;
  std::map<uint32_t, Stretches> pauses_;      // by process
  std::map<uint32_t, Stretches> background_;  // by process
};

}  // namespace oriel::profile
