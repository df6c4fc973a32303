// What the runtime gets when it asks for its profiler.
#pragma once

#include "runtimes/coreclr/com/com.h"

namespace oriel::coreclr {

// What shares the one place out among Oriel and the profilers that ORIEL_GUESTS names (base/process/guest_list.h); with
// none, it hands all on to Oriel. `object` gets a counted reference of the interface `id`. May throw where there is no
// memory.
HResult make_profiler(const Guid& id, void** object);

}  // namespace oriel::coreclr
