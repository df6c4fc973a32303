// Finds a function of a method, for callbacks that identify methods by functions.
#pragma once

#include "runtimes/coreclr/com/profiling.h"
#include "runtimes/coreclr/method_key.h"

namespace oriel::coreclr {

// The method's function. For a generic method this is an instantiation over object if that is allowed, else over int;
// it is loaded if necessary. 0 if there is none. Call it on a managed thread that may load types.
FunctionID any_function(ProfilerInfo& info, const MethodKey& key);

}  // namespace oriel::coreclr
