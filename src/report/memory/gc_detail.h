// Details of collections that the runtime reports on request: triggers, live and fragmented memory, and balance between
// heaps.
#pragma once

#include <ostream>
#include <string>

#include "profile/profile.h"
#include "report/report.h"
#include "report/words/json.h"

namespace oriel::report {

// "small objects", "low memory"
std::string gc_trigger_text(uint64_t trigger);

// Writes nothing if the log has no details.
void write_gc_detail(const profile::Profile& profile, const Options& options, std::ostream& out);

Json gc_detail_json(const profile::GcDetail& detail);
Json gc_heaps_json(const profile::Profile& profile);

}  // namespace oriel::report
