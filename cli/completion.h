// The command line's completions for shells, derived from the definitions of commands.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel::cli {

enum class Completed : uint8_t {
  kNothing,  // not completed: a number, a pattern
  kWords,
  kList,  // words separated by commas
  kFile,
  kFolder,
  kLog,      // *.oriel
  kReport,   // words, or a log
  kModule,   // words, or a library
  kProgram,  // a program, then that program's own completions
};

struct CompletedValue {
  Completed kind = Completed::kNothing;
  std::vector<std::string> words = {};
};

struct CompletedOption {
  std::vector<std::string> names;  // "-o", "--output"
  std::string help;
  bool has_value = false;
  bool needs_value = false;  // the value may be a separate argument, without '='
  std::string type;          // the value's name in help
  CompletedValue value = {};
};

struct CompletedCommand {
  std::string name;  // "", "run", "cover merge"
  std::string help;
  std::vector<CompletedOption> options;
  CompletedValue positional = {};
};

// How to complete a value of this type; nullopt if the table of types does not have it.
std::optional<CompletedValue> completed_value(const std::string& type);

// All commands in help, first the one without a name; a command's subcommands follow it.
std::vector<CompletedCommand> completed_commands(const CLI::App& app);

// Shells with a completion script.
std::vector<std::string> shell_names();
// The script for a shell; "" for an unknown one.
std::string completion_script(std::string_view shell, const std::vector<CompletedCommand>& commands);

}  // namespace oriel::cli
