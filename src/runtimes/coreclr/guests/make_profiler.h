// What the runtime gets when it asks for its profiler.
#pragma once

#include "runtimes/coreclr/com/com.h"

namespace oriel::coreclr {

// Oriel; where ORIEL_GUESTS names other profilers (base/guest_list.h), what shares the one place out among all of them.
// `object` gets a counted reference of the interface `id`. May throw where there is no memory.
HResult make_profiler(const Guid& id, void** object);

}  // namespace oriel::coreclr
