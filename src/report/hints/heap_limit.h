// How large the heap of a program may become.
#pragma once

#include <cstdint>
#include <string>

#include "profile/profile.h"

namespace oriel::report {

struct HeapLimit {
  uint64_t bytes = 0;  // 0: not known, or none
  std::string text;    // "DOTNET_GCHeapHardLimit=0x4000000", "100 MB of its container or control group"; "" likewise
};

// As the runtime takes it from its settings, or else from what its control group may use: three quarters of that.
HeapLimit heap_limit(const profile::Profile& profile);

}  // namespace oriel::report
