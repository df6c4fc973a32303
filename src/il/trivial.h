// Methods that are over before a clock could be read.
#pragma once

#include "il/body.h"

namespace oriel::il {

enum class MethodKind : uint8_t { kOrdinary, kConstructor };

// Whether a body, as compilers write it with and without optimization, does nothing but one of these: return; return an
// argument, a constant or what fields hold; store into one field; call one method of its own module with what the
// others may return, and return what that does. A constructor may store into several, and call one of another module,
// as its base class's. No loop, no condition, no arithmetic, no clause, no new object.
bool is_trivial(const Body& body, MethodKind kind = MethodKind::kOrdinary);

}  // namespace oriel::il
