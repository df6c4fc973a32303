// Derives GC phases from the log's events about collections, in time order.
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

// Fills Profile::gc_stretches and the phases of the profile's collections. Without gc_phases events, the phases are
// only stopping, collecting and concurrent work. `records` must be sorted by counter.
//
// The runtime reports the duration of each phase, and when marking from each kind of root was done. Phases follow each
// other from the start of a collection. A background collection starts in a pause without reported durations. It marks
// until its second pause (GC_PREPARE), whose durations are reported after the sweep.
void add_gc_phases(std::span<const GcRecord> records, const ClockMap& clock, Profile& profile);

// The pause that a resume_end tells of, which stands at `resumed_ns`; `stopped_ns`: where its suspend_begin stands, -1
// if the log has none. Its length is what was measured, if anything was. A thread may lose its processor between the
// measurement and its event, so the pause lies where it does not reach beyond the events that follow it.
Pause pause_of(const GcRecord& resume_end, int64_t stopped_ns, int64_t resumed_ns);

// The collection that a pause was for: of those that ran in it, the one that began last, since a collection that runs
// beside the program for long is interrupted by short ones. nullptr if none did; `collections` by start.
Collection* collection_of(const Pause& pause, std::vector<Collection>& collections);

}  // namespace oriel::profile
