// What several reports say the same way as JSON.
#pragma once

#include <nlohmann/json.hpp>

#include "profile/profile.h"
#include "profile/trees/call_tree.h"
#include "report/report.h"

namespace oriel::report {

// "report", "file", "state", "filter": how every JSON report begins.
Json json_head(const Report& report, const profile::Profile& profile);

// "complete", "running", …
const char* state_name(profile::LogState state);

// "name", "module", …
void add_function(Json& json, const profile::Function& function);

// "self", "total" and their shares, then the function.
Json totals_json(const profile::FunctionTotals& totals, const profile::Profile& profile, uint64_t whole);

// Nanoseconds by the key of each phase that took any.
Json gc_phases_json(const profile::GcPhaseTimes& times);

// "collections", "pause_ns", "phases" where the log tells these, …, and the same by generation.
Json gc_totals_json(const profile::Profile& profile);

}  // namespace oriel::report
