// Hooks that the runtime calls with info about arguments and results, for all guests of a list: each guest gets what
// its version of hooks provides.
#pragma once

#include <cstdint>

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// With any of these bits the runtime calls hooks with info.
inline constexpr uint32_t kNeedInfo = kEnableFunctionArgs | kEnableFunctionRetval | kEnableFrameInfo;

// `id` is the list (HookCall). `info` is the runtime's handle for more information, valid while the hook runs.
void call_entered(uintptr_t id, uintptr_t info);
void call_left(uintptr_t id, uintptr_t info);
void call_tail_called(uintptr_t id, uintptr_t info);

}  // namespace oriel::coreclr
