// The heap limit of a program.
#pragma once

#include <cstdint>
#include <string>

#include "profile/profile.h"

namespace oriel::report {

struct HeapLimit {
  uint64_t bytes = 0;  // 0 if there is none, or it is not known
  std::string text;    // "DOTNET_GCHeapHardLimit=0x4000000", "100 MB of its container or control group"; "" if bytes is
                       // 0
};

// From the runtime's settings, or else three quarters of the control group's limit, which is the runtime's default.
HeapLimit heap_limit(const profile::Profile& profile);

}  // namespace oriel::report
