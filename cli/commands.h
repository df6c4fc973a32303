// The subcommands. Each adds itself to the app; its callback does the work and sets `exit_code`.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace oriel::cli {

// `command` is what follows the options of `oriel run` or `oriel cover`: the program and its arguments (see
// arguments.h).
void add_run(CLI::App& app, const std::vector<std::string>& command, int& exit_code);
void add_cover(CLI::App& app, const std::vector<std::string>& command, int& exit_code);
void add_report(CLI::App& app, int& exit_code);
void add_export(CLI::App& app, int& exit_code);
void add_version(CLI::App& app, int& exit_code);
// Of all commands that `app` has when it runs.
void add_completion(CLI::App& app, int& exit_code);

// The line "Usage: …" of the command's help.
void set_usage(CLI::App& command, const std::string& usage);

// What the command's help ends with.
void set_footer(CLI::App& command, std::string (*text)());

// One line on stderr: "oriel: MESSAGE".
void say(const std::string& message);

}  // namespace oriel::cli
