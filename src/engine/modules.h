// Loading profiler modules.
#pragma once

#include <string>

#include "base/status.h"

namespace oriel {

// Loads one module by its description (base/process/module_spec.h); see oriel_load.
Status load_module(const std::string& description);

// Loads each module in ORIEL_PROFILERS; warns about those that cannot be loaded.
void load_modules_of_environment();

// Identifies the load in progress on the calling thread; nullptr if none.
const void* current_load();

}  // namespace oriel
