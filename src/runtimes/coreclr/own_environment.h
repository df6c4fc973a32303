// The variables by which `oriel run` has a process profiled.
#pragma once

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// Takes them out of the environment, once they were read, where `oriel run` put them there for one process: neither the
// program nor what it starts is to find them, the log's path and Oriel's name among them. What named another profiler
// has its own values again. The runtime (`info`) has a copy of the environment, which managed code reads. Nothing is
// done where children are profiled too, or where a person set them. On the runtime's thread, before the program's code;
// throws std::bad_alloc, and then all is as it was.
void take_own_environment_out(IUnknown& info);

}  // namespace oriel::coreclr
