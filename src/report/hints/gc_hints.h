// Hints on why collections are frequent or slow, and what to do.
#pragma once

#include <vector>

#include "report/hints/hints.h"

namespace oriel::report {

// Adds the significant ones; causes are inserted before the hint about GC time.
void add_gc_hints(const profile::Profile& profile, std::vector<Hint>& to);

}  // namespace oriel::report
