// Where code pins objects for longer than a method runs.
#pragma once

#include <vector>

#include "assembly/code_place.h"

namespace oriel::assembly {

// Calls of GCHandle.Alloc with GCHandleType.Pinned, and PinnedGCHandle<T> made, in the order of methods.
std::vector<CodePlace> pins(const Assembly& assembly);

}  // namespace oriel::assembly
