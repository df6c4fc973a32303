// The variables by which `oriel run` enables profiling in a process.
#pragma once

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// Removes these variables from the environment once they were read, if `oriel run` set them for a single process.
// Neither the program nor its children see them, nor the log's path and Oriel's name in them. Variables that named
// another profiler get their values back. The runtime (`info`) has its own copy of the environment, which managed code
// reads. Does nothing if children are profiled too or if the user set the variables. Call it on the runtime's thread
// before the program's code. Throws std::bad_alloc, and then nothing has changed.
void take_own_environment_out(IUnknown& info);

}  // namespace oriel::coreclr
