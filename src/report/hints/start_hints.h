// Hints of what the JIT compiler takes before code runs, by how the program was built and what is set.
#pragma once

#include <vector>

#include "report/hints/hints.h"

namespace oriel::report {

// One at most: of the settings that make the compiler work longer, or of code that is not compiled ahead.
void add_start_hints(const profile::Profile& profile, std::vector<Hint>& to);

}  // namespace oriel::report
