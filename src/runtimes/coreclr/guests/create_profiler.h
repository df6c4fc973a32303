// Creates the profiler that the runtime gets.
#pragma once

#include "runtimes/coreclr/com/com.h"

namespace oriel::coreclr {

// It shares the runtime's one place among Oriel and the profilers named by ORIEL_GUESTS (base/process/guest_list.h). If
// there are none, it passes everything on to Oriel. `object` receives a counted reference to the interface `id`. Throws
// std::bad_alloc.
HResult create_profiler(const Guid& id, void** object);

}  // namespace oriel::coreclr
