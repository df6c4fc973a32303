// Hints with causes in the program's own code: pinned objects, and false sharing.
#pragma once

#include <vector>

#include "report/hints/hints.h"

namespace oriel::report {

// Adds the significant ones.
void add_code_hints(const profile::Profile& profile, std::vector<Hint>& to);

}  // namespace oriel::report
