// What native code of the runtime is for, recognized by its shape: the runtime's library comes without symbols, and the
// code that it generates has none. A purpose stands in brackets, as no compiler gave it: profile/work/purpose.cc turns
// it into a category. The shapes are the processor's (src/arch).
#pragma once

#include <cstdint>

#include "oriel/oriel.h"

namespace oriel::coreclr {

// As oriel_native_purpose.
const char* purpose_of_function(const oriel_native& function);

// As oriel_stub_purpose.
const char* purpose_of_stub(uintptr_t address);

}  // namespace oriel::coreclr
