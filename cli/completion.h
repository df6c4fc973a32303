// What shells can complete of a command line: read from the commands' own definitions, so that it has what they have.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace oriel::cli {

enum class Completed : uint8_t {
  kNothing,  // what nobody can know: a number, a pattern
  kWords,
  kList,  // words with commas between them
  kFile,
  kFolder,
  kLog,      // *.oriel
  kReport,   // words, or a log
  kModule,   // words, or a library
  kProgram,  // a program, and then what that completes
};

struct CompletedValue {
  Completed kind = Completed::kNothing;
  std::vector<std::string> words = {};
};

struct CompletedOption {
  std::vector<std::string> names;  // "-o", "--output"
  std::string help;
  bool has_value = false;
  bool needs_value = false;  // it may stand apart, without a '='
  std::string type;          // of the value, as help calls it
  CompletedValue value = {};
};

struct CompletedCommand {
  std::string name;  // "", "run", "cover merge"
  std::string help;
  std::vector<CompletedOption> options;
  CompletedValue positional = {};
};

// What a value of this type is; nullopt if nobody has said so in the table of types.
std::optional<CompletedValue> completed_value(const std::string& type);

// All commands that help shows, that without a name first; a command's own commands follow it.
std::vector<CompletedCommand> completed_commands(const CLI::App& app);

// Those that there are scripts for.
std::vector<std::string> shell_names();
// The script for one of these; "" for another shell.
std::string completion_script(std::string_view shell, const std::vector<CompletedCommand>& commands);

}  // namespace oriel::cli
