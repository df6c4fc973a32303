// Where a method boxes values.
#pragma once

#include <cstdint>
#include <vector>

#include "il/body.h"

namespace oriel::il {

// Offsets, as decoded, of the boxing instructions, ascending. The JIT compiler omits some of them: boxes that are only
// inspected, and in generic code those of values that are references already.
std::vector<uint32_t> boxes(const Body& body);

}  // namespace oriel::il
