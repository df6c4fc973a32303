// Separates boxing from array allocations in the same statements.
#pragma once

#include <cstdint>
#include <vector>

#include "profile/work/uses.h"

namespace oriel::report {

// As profile::periods_of_use() for boxing, by node, without statements that allocate more bytes in arrays than they
// box: the runtime reports only the statement of an allocation. Samples in assemblies that are not on this machine
// stay.
std::vector<uint64_t> periods_of_boxing(const profile::Profile& profile);
profile::UseTotals boxing_totals(const profile::Profile& profile);

}  // namespace oriel::report
