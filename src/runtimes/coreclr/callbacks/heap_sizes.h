// How large the parts of the heap are.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// Bytes, free room between objects included.
struct HeapSizes {
  uint64_t generations[3] = {};
  uint64_t large = 0;
  uint64_t pinned = 0;
  uint64_t frozen = 0;
};

// As the last collection left them; while the runtime holds the program. `room` is kept from call to call. None where
// the runtime does not tell, or the heap is in too many parts to add up meanwhile.
std::optional<HeapSizes> heap_sizes(ProfilerInfo& info, std::vector<GenerationRange>& room);

}  // namespace oriel::coreclr
