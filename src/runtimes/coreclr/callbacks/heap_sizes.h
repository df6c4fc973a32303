// Sizes of the parts of the heap.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// Bytes, including free space between objects.
struct HeapSizes {
  uint64_t generations[3] = {};
  uint64_t large = 0;
  uint64_t pinned = 0;
  uint64_t frozen = 0;
};

// The sizes after the last collection. Call it while the runtime has the program suspended. `room` is a buffer that is
// reused from call to call. None if the runtime does not report them, or if the heap has too many parts to add up
// meanwhile.
std::optional<HeapSizes> heap_sizes(ProfilerInfo& info, std::vector<GenerationRange>& room);

}  // namespace oriel::coreclr
