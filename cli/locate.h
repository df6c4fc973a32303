// Locates the engine and its modules.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"

namespace oriel::cli {

// Absolute path of the engine library of this `oriel`: in ../lib or the installation's library folder, relative to the
// executable. The error lists where it searched.
Result<std::string> find_engine();

// The same for an executable in `bin_folder`.
Result<std::string> find_engine_from(const std::string& bin_folder);

struct ModuleRequest {
  std::string description;  // for the engine: "NAME:ARGS" or an absolute path with arguments
  std::string name, entry;  // as in ModuleSpec
  std::string args;         // ARGS
  std::string file;         // of the library

  bool is_of_mono() const { return name != entry; }
};

// Parses a description (base/process/module_spec.h) and finds the library as the engine will: beside the engine, and in
// `module_path` (folders joined by ':'). The error lists where it searched.
Result<ModuleRequest> find_module(const std::string& text, const std::string& engine, const std::string& module_path);

// Loads the module in a child process and checks that this engine can use it. The caller is not affected, whatever the
// module does.
Status try_module(const ModuleRequest& module, const std::string& engine);

}  // namespace oriel::cli
