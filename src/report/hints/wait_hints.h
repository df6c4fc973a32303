// Hints about what threads waited for.
#pragma once

#include <vector>

#include "report/hints/hints.h"

namespace oriel::report {

// Adds the significant ones, heaviest first.
void add_wait_hints(const profile::Profile& profile, std::vector<Hint>& to);

}  // namespace oriel::report
