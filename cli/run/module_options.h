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

namespace oriel::cli {

// A built-in module and what is given of its options.
class PlannedModule {
 public:
  explicit PlannedModule(const modules::Command& its)
      : command(&its), options_(its.make()), reader_(its.table, *options_, true) {}

  // Takes an option of `oriel run`, and arguments behind "--module NAME:". Errors say what is wrong.
  Status give(const modules::Option& option, std::optional<std::string_view> value) {
    return reader_.give(option, value);
  }
  Status read(const std::string& text) { return reader_.read(text); }

  bool has(const char* name) const { return command->table.find(name) != nullptr; }
  bool is_given(const char* name) const { return has(name) && reader_.is_given(name); }
  // Whether what was given fits together.
  Status check() { return command->check(*options_, reader_); }
  // A value as a text has it; "" if it was not given.
  std::string text_of(const char* name);
  // As the engine takes it, "NAME:ARGUMENTS": with `file` as the file to write.
  std::string description(const std::string& file);
  // The same with the file that was given, or none.
  std::string description();

  const modules::Command* command;
  bool wished = false;  // by an option that is this module's alone, or by --module

 private:
  std::unique_ptr<modules::GivenOptions, void (*)(modules::GivenOptions*)> options_;
  modules::OptionReader reader_;
};

class ModuleOptions {
 public:
  // Adds the options. The object must not move until they are parsed.
  void add_to(CLI::App& command);

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

// Adds `text`, the arguments after "--module NAME:", for a module that `oriel run` loads itself.
Status add_text(PlannedModule& to, const std::string& text);

// Of what was given, the modules to load: those that their option asks for, and those that are loaded by default where
// something of theirs is wished or nothing else is. Errors say what does not fit together.
Result<std::vector<PlannedModule>> modules_to_load(std::vector<PlannedModule> given);

// Whether the module's own option selects it.
bool is_selected_by_option(const PlannedModule& module);

// Has the engine in a process of that environment load these, and behind them `others`, each with a ';' before it.
// `file_of` has the file of the module with that index.
void load_in(Environment& environment, std::vector<PlannedModule>& modules,
             const std::function<std::string(size_t)>& file_of, const std::string& others = "");

}  // namespace oriel::cli
