// Methods that are too short to be worth timing.
#pragma once

#include "il/body.h"

namespace oriel::il {

enum class MethodKind : uint8_t { kOrdinary, kConstructor };

// Whether a body, as compilers write it with and without optimization, only does one of these: return; return an
// argument, a constant or the value of fields; store into one field; call one method of its own module with such values
// and return its result. A constructor may store into several fields, and call one method of another module, such as
// its base class's constructor. No loop, condition, arithmetic, clause or new object.
bool is_trivial(const Body& body, MethodKind kind = MethodKind::kOrdinary);

}  // namespace oriel::il
