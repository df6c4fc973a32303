// Hints about JIT time at startup, from how the program was built and configured.
#pragma once

#include <vector>

#include "report/hints/hints.h"

namespace oriel::report {

// Adds at most one: about settings that increase JIT time, or about code without ReadyToRun images.
void add_start_hints(const profile::Profile& profile, std::vector<Hint>& to);

}  // namespace oriel::report
