// Composes a method's new version from the changes of all guests that requested it.
#pragma once

#include <cstdint>

#include "runtimes/coreclr/guests/guest_host.h"

namespace oriel::coreclr {

// The runtime wants the method's new version. Asks those guests in their order, and then Oriel, each on top of the
// changes before it, and passes the result to `control`. `asked` has the bits of the guests to ask.
void compose_version(GuestHost& guest_host, uint32_t asked, const MethodKey& key, FunctionControl& control);

}  // namespace oriel::coreclr
