// What guests find in the environment: managed halves of profilers look there for their own.
#pragma once

#include <vector>

#include "base/process/guest_list.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// From now on the process, and children that it starts, have those values that name the first guest as the runtime's
// profiler: the ones that were taken, or the same for one that was given to `oriel run`. Not where children are to be
// profiled too and could find Oriel only by these variables (child_starts.h). Only before managed code runs: others may
// read the environment then.
void give_guests_their_environment(ProfilerInfo& runtime, const std::vector<GuestSpec>& guests);

}  // namespace oriel::coreclr
