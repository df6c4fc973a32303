// What instrumented code calls with each new object.
#pragma once

#include <cstdint>

#include "oriel/oriel.h"

namespace oriel::coreclr {

// Raises gc_allocation. Called by managed code without a transition (LEAF): a reference to the object, or null, and the
// method whose code allocated it.
extern "C" void report_allocation(uintptr_t object, oriel_method* site);

}  // namespace oriel::coreclr
