// Why collections come so often or take so long, and what can be done about it.
#pragma once

#include <vector>

#include "report/hints/hints.h"

namespace oriel::report {

// Adds what stands out of collections: those that are why time goes to collecting before the hint that it does.
void add_gc_hints(const profile::Profile& profile, std::vector<Hint>& to);

}  // namespace oriel::report
