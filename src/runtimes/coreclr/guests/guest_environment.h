// The environment that guests see, in which managed parts of profilers look for their own settings.
#pragma once

#include <vector>

#include "base/process/guest_list.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// From now on the process and its children have the values that name the first guest as the runtime's profiler: those
// that Oriel took over, or the equivalent for one given to `oriel run`. Not if children are to be profiled too and
// could find Oriel only by these variables (child_starts.h). Call it before managed code runs, because other threads
// may read the environment then.
void give_guests_their_environment(ProfilerInfo& runtime, const std::vector<GuestSpec>& guests);

}  // namespace oriel::coreclr
