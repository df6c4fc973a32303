// The options of `oriel run` that are built-in modules' own, and which modules they ask for.
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
  bool wished = false;  // by an option that is this module's alone, or by --module
};

class ModuleOptions {
 public:
  // Adds the options. This must stay where it is until they are parsed.
  void add_to(CLI::App& command);

  // The option that a pattern was meant for if one stands where the program should: it, or another about calls and
  // allocations, was given without a value. "" if there is none.
  std::string option_for_pattern() const;

  // What was given to each built-in module, those first that are loaded by default. Errors name the option and what is
  // wrong with it.
  Result<std::vector<PlannedModule>> given() const;

 private:
  // The same option may be several modules'.
  struct Use {
    CLI::Option* parsed;
    std::vector<std::pair<size_t, const modules::Option*>> of;  // index of the module
  };

  std::vector<const modules::Command*> commands_;
  std::vector<Use> uses_;
};

// Takes `text`, the arguments behind "--module NAME:", for a module that `oriel run` itself loads.
Status add_text(PlannedModule& to, const std::string& text);

// Of what was given, the modules to load: those that their option asks for, and those that are loaded by default where
// something of theirs is wished or nothing else is. Errors say what does not fit together.
Result<std::vector<PlannedModule>> modules_to_load(const std::vector<PlannedModule>& given);

// Whether the module's own option asks for it.
bool is_asked_for(const PlannedModule& module);

}  // namespace oriel::cli
