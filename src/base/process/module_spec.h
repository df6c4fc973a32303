// How modules are named, and where their libraries are found: the same for the engine and for `oriel run`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace oriel {

// What a description asks for: "NAME", "NAME:args", "/path/liboriel-NAME.so", "/path/liboriel-NAME.so:args". A path has
// a '/', and may have colons.
struct ModuleSpec {
  std::string name;
  std::string path;  // empty: search for the name
  std::string args;
};

// Errors name the description and say how to write it.
Result<ModuleSpec> parse_module(const std::string& description);

// Where a module is looked for by its name, in this order: beside the engine, in its folder `oriel`, and in those of
// `module_path`, joined by ':'.
std::vector<std::string> module_folders(const std::string& engine_folder, std::string_view module_path);

// The file of the module's library. Errors say where it was looked for.
Result<std::string> find_module_file(const ModuleSpec& spec, const std::vector<std::string>& folders);

}  // namespace oriel
