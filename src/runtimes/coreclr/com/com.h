// COM as the runtime speaks it with a profiler, and what it understands of a profiler's answers.
#pragma once

#include "oriel/com.h"

namespace oriel::coreclr {

using namespace com;

// Answer of Initialize: this profiler does not want this process; the runtime says nothing and runs on.
inline constexpr HResult kNotAttachable = static_cast<HResult>(0x80131368);  // CORPROF_E_PROFILER_NOT_ATTACHABLE
inline constexpr HResult kCancelActivation = static_cast<HResult>(0x80131375);

}  // namespace oriel::coreclr
