// Hints from samples and waits of several threads together: unbalanced parallel loops, timers, semaphores, disk and
// network waits.
#pragma once

#include <vector>

#include "report/hints/hints.h"

namespace oriel::report {

// Adds the significant ones, heaviest first.
void add_cause_hints(const profile::Profile& profile, std::vector<Hint>& to);

}  // namespace oriel::report
