// Asking the runtime about a module that may be unloaded meanwhile.
#pragma once

#include <functional>

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// Runs `what` while nothing is unloaded; unloads wait for it, so it must be short. Not at all if the module is gone.
// False if something is being unloaded just now: nothing ran. Any thread.
bool if_loaded(ModuleID module, const std::function<void()>& what);

// The same, but waits until it can, which is seconds at most. Not for threads that an unload may wait for.
void while_loaded(ModuleID module, const std::function<void()>& what);

}  // namespace oriel::coreclr
