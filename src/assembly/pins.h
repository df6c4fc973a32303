// Code that pins objects beyond the execution of a method.
#pragma once

#include <vector>

#include "assembly/code_place.h"

namespace oriel::assembly {

// Calls of GCHandle.Alloc with GCHandleType.Pinned, and constructions of PinnedGCHandle<T>, in the order of methods.
std::vector<CodePlace> pins(const Assembly& assembly);

}  // namespace oriel::assembly
