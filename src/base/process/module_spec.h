// Names of modules and the search for their libraries: the same for the engine and for `oriel run`.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace oriel {

// A parsed description: "NAME", "NAME:args", "/path/liboriel-NAME.so", "/path/liboriel-NAME.so:args". A path has a '/',
// and may have colons. A module that was compiled for Mono is "libmono-profiler-NAME.so", with or without a path, which
// the module "mono" loads: one for each, with the description as its arguments. "mono:NAME" is the same.
struct ModuleSpec {
  std::string name;   // no other loaded module has it
  std::string entry;  // NAME in its library's name and in its functions' names
  std::string path;   // empty: search for the name
  std::string args;

  bool is_of_mono() const { return name != entry; }
};

// "NAME" or "NAME:args"; likewise for a path.
std::string with_arguments(const std::string& name, const std::string& args);

// A module for Mono, from its description: "[/path/]libmono-profiler-NAME.so[:args]".
struct MonoModule {
  std::string name;
  std::string file;  // without a folder: the loader searches for it
  std::string args;
};
MonoModule mono_module(const std::string& description);

// NAME in "…/liboriel-NAME.so", empty if the name has another form. `path` may be just the file's name.
std::string module_of_library(std::string_view path);

// Errors name the description and the expected form.
Result<ModuleSpec> parse_module(const std::string& description);

// The folders searched for a module, in order: the engine's, its subfolder `oriel`, and those in `module_path`, joined
// by ':'.
std::vector<std::string> module_folders(const std::string& engine_folder, std::string_view module_path);

// The file of the module's library. Errors name the folders searched.
Result<std::string> find_module_file(const ModuleSpec& spec, const std::vector<std::string>& folders);

}  // namespace oriel
