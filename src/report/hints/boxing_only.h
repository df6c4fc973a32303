// Boxing, told from the arrays that are made beside it.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/work/uses.h"

namespace oriel::report {

// Samples of boxing by node, as profile::periods_of_use() has them, without those of statements that make arrays of
// more bytes than they box: all that the runtime tells of a place is its statement. What is in assemblies that are not
// on this machine stays.
std::vector<uint64_t> periods_of_boxing(const profile::Profile& profile);
profile::UseTotals boxing_totals(const profile::Profile& profile);

}  // namespace oriel::report
