// JSON that several reports share.
#pragma once

#include <nlohmann/json.hpp>

#include "profile/profile.h"
#include "profile/trees/call_tree.h"
#include "report/report.h"

namespace oriel::report {

// "report", "file", "state", "filter": the head of every JSON report.
Json json_head(const Report& report, const profile::Profile& profile);

// "name", "module", …
void add_function(Json& json, const profile::Function& function);

// "self", "total" and their shares, then the function.
Json totals_json(const profile::FunctionTotals& totals, const profile::Profile& profile, uint64_t whole);

// Nanoseconds by phase key; phases without any are left out.
Json gc_phases_json(const profile::GcPhaseTimes& times);

// "collections", "pause_ns", "phases" if logged, …, and the same by generation.
Json gc_totals_json(const profile::Profile& profile);

}  // namespace oriel::report
