// From what a log tells of collections, in the order of time, to the phases they were in.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "profile/build/clock_map.h"
#include "profile/profile.h"

namespace oriel::profile {

struct GcRecord {  // an event
  uint64_t counter = 0;
  uint32_t event = 0;
  uint32_t thread = 0;  // index into Profile::threads
  uint64_t values[8] = {};
};

// Fills Profile::gc_stretches and the phases of its collections, which are there already. Of a log that has no
// event gc_phases these are stopping, collecting and what runs beside the program. Records by counter.
//
// The runtime tells how long each phase took, and when marking from each kind of roots was done. The phases follow each
// other from the collection's begin. A background collection is one that begins in a pause without telling times: it
// marks until its second pause (GC_PREPARE), whose times it tells when it has swept.
void add_gc_phases(std::span<const GcRecord> records, const ClockMap& clock, Profile& profile);

}  // namespace oriel::profile
