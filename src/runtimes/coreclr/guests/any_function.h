// A function of a method, for who tells of methods by functions.
#pragma once

#include "runtimes/coreclr/com/profiling.h"
#include "runtimes/coreclr/method_key.h"

namespace oriel::coreclr {

// The method's function; of a generic one that of an instantiation, over object where it may be, else over int, which
// is loaded if it was not. 0 where there is none such. On a thread of the runtime's own that may load types.
FunctionID any_function(ProfilerInfo& info, const MethodKey& key);

}  // namespace oriel::coreclr
