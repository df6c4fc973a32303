// Loading profiler modules.
#pragma once

#include <string>

#include "base/status.h"

namespace oriel {

// What a description asks for: "NAME", "NAME:args", "/path/liboriel-NAME.so", "/path/liboriel-NAME.so:args".
struct ModuleSpec {
  std::string name;
  std::string path;  // empty: search for the name
  std::string args;
};
Result<ModuleSpec> parse_module(const std::string& description);

// Loads one module; see oriel_load.
Status load_module(const std::string& description);

// Loads each module of the environment's ORIEL_PROFILERS; warns of those that cannot be loaded.
void load_modules_of_environment();

// A token for the load that runs on the calling thread, nullptr if none.
const void* current_load();

}  // namespace oriel
