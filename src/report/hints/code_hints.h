// Hints that the program's own code gives a reason for: what it pins, and what its threads write side by side.
#pragma once

#include <vector>

#include "report/hints/hints.h"

namespace oriel::report {

// Adds those that stand out.
void add_code_hints(const profile::Profile& profile, std::vector<Hint>& to);

}  // namespace oriel::report
