// Names as a profiler gets them that asks the runtime itself.
#pragma once

#include <string>

#include "runtimes/coreclr/com/profiling.h"

namespace peer {

// "System.Collections.Generic.List<int>", "int[]"; "?" if the runtime does not tell.
std::string class_name(oriel::coreclr::UngatedProfilerInfo& info, oriel::coreclr::ClassID klass);
// "Namespace.Type.Method"; "?" of code without metadata.
std::string function_name(oriel::coreclr::UngatedProfilerInfo& info, oriel::coreclr::FunctionID function);

}  // namespace peer
