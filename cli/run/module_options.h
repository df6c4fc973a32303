// The options of `oriel run` that are built-in modules' own, which modules they ask for, and how the program's process
// is told of these.
#pragma once

#include <CLI/CLI.hpp>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/status.h"
#include "modules/command.h"
#include "run/environment.h"
#include "settings/planned_module.h"

namespace oriel::cli {

using settings::is_selected_by_option;
using settings::modules_to_load;
using settings::PlannedModule;

class ModuleOptions {
 public:
  // Adds the options of these modules. The object must not move until they are parsed.
  void add_to(CLI::App& command, std::vector<const modules::Command*> modules = settings::commands_of_run());

  // The options that were typed, as they are written: "--alloc".
  std::vector<std::string> typed() const;

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

// Has the engine in a process of that environment load these, and behind them `others`, each with a ';' before it.
// `file_of` has the file of the module with that index.
void load_in(Environment& environment, std::vector<PlannedModule>& modules,
             const std::function<std::string(size_t)>& file_of, const std::string& others = "");

}  // namespace oriel::cli
