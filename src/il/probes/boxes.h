// Where a method puts values into boxes.
#pragma once

#include <cstdint>
#include <vector>

#include "il/body.h"

namespace oriel::il {

// Offsets, as decoded, of the instructions that box, in order. A compiler leaves some of them out: where a box is only
// looked at, and of what is a reference already in generic code.
std::vector<uint32_t> boxes(const Body& body);

}  // namespace oriel::il
