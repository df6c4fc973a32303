// The sections behind the code. For encode.cc only.
#pragma once

#include <cstdint>
#include <vector>

#include "il/body.h"

namespace oriel::il {

// Appends the exception table, small if it can be, and the extra sections, each at a multiple of four.
Status append_sections(const Body& body, std::vector<uint8_t>& bytes);

}  // namespace oriel::il
