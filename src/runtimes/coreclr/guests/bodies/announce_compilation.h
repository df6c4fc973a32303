// If a method's first compilation is a version's, calls the guests that change methods before their first compilation.
#pragma once

#include <cstdint>

#include "runtimes/coreclr/guests/guest_host.h"

namespace oriel::coreclr {

// A version of the method is about to be composed; `asked` has the bits of the guests that will be asked for it. If the
// method never had code, reports its compilation to the other guests first, as without the version. Oriel decides for
// itself. On a thread that has the method's turn.
void announce_compilation(GuestHost& guest_host, uint32_t asked, const MethodKey& key);

// A version was compiled, or could not be. If its compilation was reported as above, so is its end.
void announce_compilation_end(GuestHost& guest_host, const MethodKey& key, HResult status);

}  // namespace oriel::coreclr
