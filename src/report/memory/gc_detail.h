// Details of collections that the runtime reports on request: triggers, live and fragmented memory, and balance between
// heaps.
#pragma once

#include <array>
#include <ostream>
#include <string>

#include "profile/profile.h"
#include "report/report.h"
#include "report/words/json.h"

namespace oriel::report {

// "small objects", "low memory"
std::string gc_trigger_text(uint64_t trigger);

// "induced, background, not ended": why a collection began, and what it was.
std::string collection_reason(const profile::Collection& collection);
// Of its pause the time for: stopping threads, marking, planning, moving objects, sweeping.
std::array<int64_t, 5> collection_steps(const profile::GcPhaseTimes& of);

// Writes nothing if the log has no details.
void write_gc_detail(const profile::Profile& profile, const Options& options, std::ostream& out);

Json gc_detail_json(const profile::GcDetail& detail);
Json gc_heaps_json(const profile::Profile& profile);

}  // namespace oriel::report
