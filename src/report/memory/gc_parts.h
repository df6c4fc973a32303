// What each thread did in collections, of runtimes whose threads collect their own memory.
#pragma once

#include <ostream>
#include <span>

#include "profile/profile.h"
#include "report/report.h"
#include "report/words/json.h"

namespace oriel::report {

// Writes nothing if the log does not tell.
void write_gc_parts(const profile::Profile& profile, const Options& options, std::ostream& out);

// Of the collection of that number.
Json gc_parts_json(std::span<const profile::GcPart* const> parts, const profile::Profile& profile);

}  // namespace oriel::report
