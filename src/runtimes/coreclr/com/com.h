// COM between the runtime and a profiler, and the results by which a profiler answers the runtime.
#pragma once

#include "oriel/com.h"

namespace oriel::coreclr {

using namespace com;

// Results by which a profiler declines the process: of InitializeForAttach, and of Initialize, after which the runtime
// reports nothing and goes on.
inline constexpr HResult kNotAttachable = static_cast<HResult>(0x80131368);  // CORPROF_E_PROFILER_NOT_ATTACHABLE
inline constexpr HResult kCancelActivation = static_cast<HResult>(0x80131375);

}  // namespace oriel::coreclr
