// What the `oriel` command knows of a built-in module that writes a file, said in the module's folder:
// modules/NAME/options.cc defines `extern const oriel::modules::Command command_of_NAME`.
#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "base/status.h"
#include "modules/options.h"

namespace oriel::modules {

struct Command {
  OptionTable table;
  // The module's struct of options, as it is where none is given.
  std::unique_ptr<GivenOptions, void (*)(GivenOptions*)> (*make)();
  // Whether what was read fits together, as the module itself will find.
  Status (*check)(GivenOptions& options, const OptionReader& read);
  // The command that loads the module; `oriel attach` loads all.
  enum class Of { kRun, kCover } of = Of::kRun;
  // The row whose option has `oriel run` load the module; "": it is loaded unless others are all that is asked for.
  const char* asked_by = "";
  // It counts each call, allocation or visit of code, whatever that takes: no budget can limit it.
  bool counts_each = false;
  const char* file_ending = ".oriel";  // of its file's name where that stands beside another's
  const char* shown_by = "report";     // the command that shows its file

  const char* name() const { return table.module; }
  bool is_default() const { return *asked_by == '\0'; }
};

// A Command's `make` for a module whose struct this is.
template <typename Struct>
std::unique_ptr<GivenOptions, void (*)(GivenOptions*)> make_options() {
  return {new Struct, [](GivenOptions* options) { delete static_cast<Struct*>(options); }};
}

// Those of all built-in modules: the list is made of their folders (cmake/OrielModules.cmake).
std::span<const Command* const> all_commands();
// The module of that name; nullptr if there is none.
const Command* find_command(std::string_view name);

}  // namespace oriel::modules
