// The environment of a program that CoreCLR runs (base/process/own_environment.h).
#pragma once

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// take_own_environment_out, and the same in the copy of the runtime (`info`), which managed code reads.
void take_own_environment_out(IUnknown& info);

}  // namespace oriel::coreclr
