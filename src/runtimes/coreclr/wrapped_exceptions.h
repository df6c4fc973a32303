// Thrown objects that are no exceptions. The runtime reports such an object as a RuntimeWrappedException, but filters
// and handlers of assemblies that ask for it (RuntimeCompatibilityAttribute) get the wrapped object.
#pragma once

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// The object in a RuntimeWrappedException; 0 for any other object. `exception` must not move during the call. The
// result may move as soon as a collection may run. Any thread, in a callback.
ObjectID wrapped_in(ProfilerInfo& info, ObjectID exception);

}  // namespace oriel::coreclr
