// Options of `oriel run` that belong to built-in modules, and the modules they select.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <string>
#include <vector>

#include "base/status.h"
#include "module/command.h"

namespace oriel::cli {

struct PlannedModule {
  const modules::Command* command;
  modules::Arguments arguments;
  bool wished = false;  // by an option of this module only, or by --module
};

class ModuleOptions {
 public:
  // Adds the options. The object must not move until they are parsed.
  void add_to(CLI::App& command);

  // If a pattern is in the program's place: the option about calls or allocations that was given without a value, for
  // which it was meant. Else "".
  std::string option_for_pattern() const;

  // The options given to each built-in module; modules that are loaded by default come first. Errors name the option
  // and what is wrong with it.
  Result<std::vector<PlannedModule>> given() const;

 private:
  // An option may belong to several modules.
  struct Use {
    CLI::Option* parsed;
    std::vector<std::pair<size_t, const modules::Option*>> of;  // index of the module
  };

  std::vector<const modules::Command*> commands_;
  std::vector<Use> uses_;
};

// Adds `text`, the arguments after "--module NAME:", for a module that `oriel run` loads itself.
Status add_text(PlannedModule& to, const std::string& text);

// The modules to load: those selected by their option, and default modules if one of their options was given or nothing
// else is loaded. Errors say which options conflict.
Result<std::vector<PlannedModule>> modules_to_load(const std::vector<PlannedModule>& given);

// Whether the module's own option selects it.
bool is_asked_for(const PlannedModule& module);

}  // namespace oriel::cli
