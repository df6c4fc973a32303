// Where instructions of a body went that was changed several times.
#pragma once

#include <span>
#include <vector>

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// Of `first`, from a body to the next, and `second`, from that one to the one after: from the first to the last. What
// only one of them knows is left out; an empty one changes nothing.
std::vector<IlMapEntry> compose(std::span<const IlMapEntry> first, std::span<const IlMapEntry> second);

}  // namespace oriel::coreclr
