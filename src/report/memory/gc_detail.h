// What the runtime tells of collections where it is asked to: why they began, what they found alive, what they left
// free, and how evenly several heaps had work.
#pragma once

#include <ostream>
#include <string>

#include "profile/profile.h"
#include "report/report.h"
#include "report/words/json.h"

namespace oriel::report {

// "small objects", "low memory"
std::string gc_trigger_text(uint64_t trigger);

// Nothing where the log does not tell.
void write_gc_detail(const profile::Profile& profile, const Options& options, std::ostream& out);

Json gc_detail_json(const profile::GcDetail& detail);
Json gc_heaps_json(const profile::Profile& profile);

}  // namespace oriel::report
