// What a summary says of the other profilers that were in the process.
#pragma once

#include <string>
#include <vector>

#include "profile/profile.h"

namespace oriel::report {

// A text each, those from the start in their order, then those that came later: "libagent.so {CLSID}: 12 methods
// changed, 3.4 ms in its callbacks; ICorProfilerCallback11, mask 0x24 0x8, turns tiered compilation off".
std::vector<std::string> guest_texts(const profile::Profile& profile);

}  // namespace oriel::report
