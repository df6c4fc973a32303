// What `oriel run` knows of a built-in module that writes a file, said in the module's folder: modules/NAME/command.cc
// defines `extern const oriel::modules::Command command_of_NAME`.
#pragma once

#include <span>

#include "base/status.h"
#include "module/arguments.h"

namespace oriel::modules {

struct Command {
  const char* name;
  std::span<const Argument> arguments;
  std::span<const Option> options;
  // Whether what was given fits together, as the module itself will find.
  Status (*check)(const Arguments& given);
  // The argument whose option has `oriel run` load the module; "": it is loaded unless others are all that is asked
  // for.
  const char* asked_by = "";
  const char* file_ending;  // of its file's name where that stands beside another's
  const char* shown_by;     // "report": the command that shows its file

  bool is_default() const { return *asked_by == '\0'; }
};

// Those of all built-in modules: the list is made of their folders (cmake/OrielModules.cmake).
std::span<const Command* const> all_commands();

}  // namespace oriel::modules
