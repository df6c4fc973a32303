// Loads a guest in the way in which the runtime loads its only profiler.
#pragma once

#include "base/process/guest_list.h"
#include "base/status.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

struct LoadedGuest {
  ComPtr<ProfilerCallback> callback;
  int version = 0;  // the newest version of ICorProfilerCallback that it has; slots of later ones must not be called
};

// Version 0: it is valid but declines this process (CORPROF_E_PROFILER_CANCEL_ACTIVATION). Its library stays loaded for
// good, because threads may be in it. Errors describe the fault in one line, without the guest's name. Loading runs the
// library's own code, which may crash or never return.
Result<LoadedGuest> load_guest(const GuestSpec& guest);

// For an existing object, by the newest version that it answers for, as the runtime asks: later slots are called
// through its answer to that. Version 0: it is no profiler.
LoadedGuest known_guest(IUnknown& callback);

}  // namespace oriel::coreclr
