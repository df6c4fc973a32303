// What is thrown and is no exception: the runtime tells of it as a RuntimeWrappedException, but filters and handlers of
// assemblies that ask for it (RuntimeCompatibilityAttribute) get what is in it.
#pragma once

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// What is in a RuntimeWrappedException; 0 of any other object. `exception` stays where it is meanwhile; what is
// returned may move as soon as a collection may run. Any thread, in a callback.
ObjectID wrapped_in(ProfilerInfo& info, ObjectID exception);

}  // namespace oriel::coreclr
