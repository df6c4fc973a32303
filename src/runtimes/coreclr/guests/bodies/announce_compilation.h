// Who changes methods as they are first compiled is told where the first compilation is a version's.
#pragma once

#include <cstdint>

#include "runtimes/coreclr/guests/guest_host.h"

namespace oriel::coreclr {

// A version of the method is to be made, of which those of the bits `asked` are asked. If the method never had code,
// the other guests are told first that it is compiled, as they are without the version; Oriel sees to itself. On a
// thread that has the method's turn.
void tell_first(House& house, uint32_t asked, const MethodKey& key);

// A version was compiled, or cannot be: if the above had been told of it, so is its end.
void tell_first_ended(House& house, const MethodKey& key, HResult status);

}  // namespace oriel::coreclr
