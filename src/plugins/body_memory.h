// Where the runtime wants to have the bodies of a module's methods.
#pragma once

#include <cstdint>
#include <span>

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::plugins {

// A copy that lives as long as the module; null where there is no memory, or none for a module of this kind.
const uint8_t* copy_into_module(coreclr::ProfilerInfo& runtime, coreclr::ModuleID module,
                                std::span<const uint8_t> body);

}  // namespace oriel::plugins
