// Where the engine and its modules are.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace oriel::cli {

// The engine library that belongs to this `oriel`: in ../lib or the installation's library folder, seen from the
// executable. Absolute. The error names where it was looked for.
Result<std::string> find_engine();

// The same seen from an executable in `bin_folder`.
Result<std::string> find_engine_from(const std::string& bin_folder);

struct ModuleRequest {
  std::string description;  // as the engine takes it, "NAME:ARGS", a path made absolute
  std::string name;         // NAME
  std::string args;         // ARGS
  std::string file;         // of the library
};

// Takes a description (base/process/module_spec.h) apart and finds the file as the engine will: beside it, in its
// folder and in `module_path` (folders joined by ':'). The error says where it was looked for.
Result<ModuleRequest> find_module(const std::string& text, const std::string& engine, const std::string& module_path);

// Loads the module into a process of its own and looks whether it is one that this engine can use. Nothing of it stays
// behind, whatever it does there.
Status try_module(const ModuleRequest& module, const std::string& engine);

}  // namespace oriel::cli
