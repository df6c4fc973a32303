// The summary's texts about other profilers in the process.
#pragma once

#include <string>
#include <vector>

#include "profile/profile.h"

namespace oriel::report {

// One text per profiler, first those loaded at startup in their order, then later ones: "libagent.so {CLSID}: 12
// methods changed, 3.4 ms in its callbacks; ICorProfilerCallback11, mask 0x24 0x8, turns tiered compilation off".
std::vector<std::string> guest_texts(const profile::Profile& profile);

}  // namespace oriel::report
