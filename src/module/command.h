// What `oriel run` knows about a built-in module that writes a file. modules/NAME/command.cc defines `extern const
// oriel::modules::Command command_of_NAME`.
#pragma once

#include <span>

#include "base/status.h"
#include "module/arguments.h"

namespace oriel::modules {

struct Command {
  const char* name;
  std::span<const Argument> arguments;
  std::span<const Option> options;
  // Whether the arguments are consistent; the module checks the same.
  Status (*check)(const Arguments& given);
  // The argument whose option makes `oriel run` load the module; "": it is loaded unless only other modules are asked
  // for.
  const char* asked_by = "";
  const char* file_ending;  // of its file's name if that is derived from another file's
  const char* shown_by;     // "report": the command that shows its file

  bool is_default() const { return *asked_by == '\0'; }
};

// Those of all built-in modules: the list is generated from their folders (cmake/OrielModules.cmake).
std::span<const Command* const> all_commands();

}  // namespace oriel::modules
