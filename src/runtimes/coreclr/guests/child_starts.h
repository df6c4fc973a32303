// Lets children of the profiled program be profiled too, whatever the environment names as profiler.
#pragma once

namespace oriel::coreclr {

// From now on the framework starts programs with child_environment of the given environment, so the variables that name
// the runtime's profiler may have a guest's values in this process. Returns false, and these variables must stay
// Oriel's, if children are not profiled (ORIEL_CHILDREN is not 1) or if the framework starts programs in another way,
// which is reported. May be called several times, and before these variables are changed.
bool redirect_child_starts();

}  // namespace oriel::coreclr
