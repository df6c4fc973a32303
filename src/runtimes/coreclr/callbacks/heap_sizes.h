// Sizes of the parts of the heap.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
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

// The parts of the heap after the last collection, and those of objects that are never collected; empty if the runtime
// does not say. `room` as below.
std::span<const GenerationRange> heap_parts(ProfilerInfo& info, std::vector<GenerationRange>& room);
std::vector<FrozenRange> frozen_parts(ProfilerInfo& info);

// The sizes after the last collection. Call it while the runtime has the program suspended. `room` is a buffer that is
// reused from call to call. None if the runtime does not report them, or if the heap has too many parts to add up
// meanwhile.
std::optional<HeapSizes> heap_sizes(ProfilerInfo& info, std::vector<GenerationRange>& room);

}  // namespace oriel::coreclr
