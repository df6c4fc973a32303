// The subcommands. Each function adds one to the app; its callback does the work and sets `exit_code`.
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace oriel::cli {

// `command` is what follows the options of `oriel run` or `oriel cover`: the program and its arguments (see
// arguments.h).
void add_run(CLI::App& app, const std::vector<std::string>& command, int& exit_code);
void add_cover(CLI::App& app, const std::vector<std::string>& command, int& exit_code);
void add_report(CLI::App& app, int& exit_code);
void add_query(CLI::App& app, int& exit_code);
void add_export(CLI::App& app, int& exit_code);
void add_view(CLI::App& app, int& exit_code);
void add_convert(CLI::App& app, int& exit_code);
void add_ps(CLI::App& app, int& exit_code);
void add_ctl(CLI::App& app, int& exit_code);
void add_attach(CLI::App& app, int& exit_code);
void add_top(CLI::App& app, int& exit_code);
void add_push(CLI::App& app, int& exit_code);
void add_version(CLI::App& app, int& exit_code);
// Completes all commands that `app` has when the callback runs.
void add_completion(CLI::App& app, int& exit_code);
// Describes all commands that `app` has when the callback runs.
void add_manual(CLI::App& app, int& exit_code);

// Sets the line "Usage: …" of the command's help.
void set_usage(CLI::App& command, const std::string& usage);

// Sets the end of the command's help.
void set_footer(CLI::App& command, std::string (*text)());

// For an option's check(): a sentence if its value is no whole number of this range.
std::function<std::string(const std::string&)> whole_number_check(uint64_t least, uint64_t most = UINT64_MAX);

// Writes one line to stderr: "oriel: MESSAGE". What a terminal would act on is replaced, as messages have names of
// files in them.
void say(const std::string& message);

}  // namespace oriel::cli
