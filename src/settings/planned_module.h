// Built-in modules with the options that they are to have, by the options of `oriel run`.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "modules/command.h"

namespace oriel::settings {

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

// The commands of the modules that `oriel run` loads; those that are loaded by default come first.
std::vector<const modules::Command*> commands_of_run();
// Those that `oriel attach` loads, likewise: coverage too, which is `oriel cover`'s where a program starts with it.
std::vector<const modules::Command*> commands_of_attach();

// Of what was given, the modules to load: those that their option asks for, and those that are loaded by default where
// something of theirs is wished or nothing else is. Errors say what does not fit together.
Result<std::vector<PlannedModule>> modules_to_load(std::vector<PlannedModule> given);

// Whether these modules can run beside each other: a budget goes with none that counts each call.
Status check_budget(const std::vector<PlannedModule>& running);

// Whether the module's own option selects it.
bool is_selected_by_option(const PlannedModule& module);

// Of these the module of that name, if it is loaded by default or its option selects it; otherwise nullptr.
PlannedModule* find_loaded(const std::string& name, std::vector<PlannedModule>& given);

// Adds the arguments behind "--module NAME:", which must not name a file. Errors say what is wrong.
Status add_text(PlannedModule& to, const std::string& text);

// Another file beside a log: NAME.callgraph.oriel for NAME.oriel and the ending ".callgraph.oriel".
std::string with_ending(const std::string& log, std::string_view ending);

}  // namespace oriel::settings
