// Hints: what to do about what the summary shows, each with the figure it is based on.
#pragma once

#include <vector>

#include "report/hints/hint.h"
#include "report/words/json.h"

namespace oriel::report {

// Whether a time is worth a hint: at least 0.2 s and 2 % of the run.
bool is_significant_time(int64_t ns, const profile::Profile& profile);
// The same for samples, of which there must be at least ten to be significant.
bool are_significant_samples(uint64_t periods, const profile::Profile& profile);

// The most important hints, heaviest first; may be empty.
std::vector<Hint> hints(const profile::Profile& profile);
Json hints_json(const profile::Profile& profile);

}  // namespace oriel::report
