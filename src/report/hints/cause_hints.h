// Hints about what several threads' samples and waits tell together: loops whose parts are of different size, timers,
// semaphores, disks and networks that threads wait for.
#pragma once

#include <vector>

#include "report/hints/hints.h"

namespace oriel::report {

// Adds those that stand out, the weightiest first.
void add_cause_hints(const profile::Profile& profile, std::vector<Hint>& to);

}  // namespace oriel::report
