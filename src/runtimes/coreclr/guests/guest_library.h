// Loads a guest as the runtime would load it as its only profiler.
#pragma once

#include "base/process/guest_list.h"
#include "base/status.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

struct LoadedGuest {
  ComPtr<ProfilerCallback> callback;
  int version = 0;  // of ICorProfilerCallback, the newest it has: slots of later ones are not to be called
};

// Version 0: it is sound, but does not want this process (CORPROF_E_PROFILER_CANCEL_ACTIVATION).
// Its library stays loaded for good: threads may be in it. Errors say what is wrong in one line, without the guest's
// name. What the library does when it is loaded is its own affair: it may crash, or never return.
Result<LoadedGuest> load_guest(const GuestSpec& guest);

// Of an object that is there already, by the newest version that it answers for, as the runtime asks: later slots are
// called through what it answered to that. Version 0: it is no profiler.
LoadedGuest known_guest(IUnknown& callback);

}  // namespace oriel::coreclr
