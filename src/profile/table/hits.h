// Counts of places in a method's code, as lists in which each place stands once.
#pragma once

#include <tuple>
#include <vector>

#include "log/format.h"

namespace oriel::table {

using log::CoverageHit;

// The sort key of a method's hits: by offset, runs before outcomes.
inline auto place_of(const CoverageHit& hit) { return std::tuple(hit.il, hit.is_outcome, hit.outcome); }

// Sorts hits by place, and adds up those of one place.
void unite_hits(std::vector<CoverageHit>& hits);

// Adds the counts of `from`; a sum that does not fit is the largest number. Both have been united.
void add_hits(const std::vector<CoverageHit>& from, std::vector<CoverageHit>& to);

}  // namespace oriel::table
