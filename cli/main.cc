// The `oriel` command.
#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <new>

#include "arguments.h"
#include "base/own_options.h"
#include "base/text/edit_distance.h"
#include "base/version.h"
#include "commands.h"
#include "exit_codes.h"
#include "imports/imports.h"
#include "run/settings_words.h"
#include "statements/moar_sql.h"

namespace oriel::cli {

using namespace std::string_literals;

namespace {

constexpr const char* kFooter = R"(Examples:
  oriel run -- dotnet Shop.dll                         profile a program; its log is Shop-PID.oriel
  oriel report Shop-4711.oriel                         show a summary of it
  oriel cover -- dotnet test                           which code the tests do not reach
  oriel export --format html -o shop.html Shop-4711.oriel
                                                       a flame graph for the browser
  oriel ps                                             the running .NET processes
  oriel attach 4711 --for 30s                          record one of them for 30 seconds
  oriel top 4711                                       watch one of them live

`oriel COMMAND --help` explains each command.)";

// "; did you mean --sample?" for the nearest name; "" if none is near.
std::string nearest_name(const std::string& word, const std::vector<std::string>& names) {
  const std::string nearest = nearest_word(word, names);
  return nearest.empty() ? "" : "; did you mean " + nearest + "?";
}

// The first word that looks like an option and is not one of the command's.
std::string meant_option(const CLI::App& command, const std::vector<std::string>& words) {
  std::vector<std::string> names;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  for (const std::string& word : words) {
    const std::string name = word.substr(0, word.find('='));
    if (name.starts_with("--") && std::ranges::find(names, name) == names.end()) return nearest_name(name, names);
  }
  return "";
}

// Prints a parse error as one line and returns the exit code; prints help unchanged.
int explain(CLI::App& app, const CLI::ParseError& error, const std::vector<std::string>& words, bool runs_a_program) {
  if (error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success)) return app.exit(error);
  std::string message = error.what();
  if (const size_t end = message.find('\n'); end != std::string::npos) message.resize(end);
  const auto chosen = app.get_subcommands();
  const std::string mean = meant_option(chosen.empty() ? app : *chosen[0], words);
  say(fmt::format("{}{}{} oriel {}--help", message, mean, mean.empty() ? "; see" : " See",
                  chosen.empty() ? "" : chosen[0]->get_name() + " "));
  return runs_a_program ? kRunFailed : kUsage;
}

int run_main(const std::vector<std::string>& words) {
  Arguments arguments = split_arguments(words);
  if (Status status = add_settings(arguments.own); !status) {
    say(status.message());
    return kRunFailed;
  }
  int exit_code = 0;
  CLI::App app("Oriel, a profiler for .NET on Linux", "oriel");
  app.require_subcommand(1);
  set_usage(app, "oriel COMMAND …");
  app.footer(kFooter);
  add_run(app, arguments.command, exit_code);
  add_cover(app, arguments.command, exit_code);
  add_report(app, exit_code);
  add_query(app, exit_code);
  add_export(app, exit_code);
  add_view(app, exit_code);
  add_convert(app, exit_code);
  add_ps(app, exit_code);
  add_attach(app, exit_code);
  add_top(app, exit_code);
  add_ctl(app, exit_code);
  add_push(app, exit_code);
  add_version(app, exit_code);
  add_completion(app, exit_code);
  add_manual(app, exit_code);
  app.add_flag_callback(
      "--version", [] { throw CLI::CallForVersion(fmt::format("oriel {}", version_text()), 0); }, "Show the version");
  if (words.empty()) {
    fmt::print("{}", app.help());
    return kUsage;
  }
  // Aliases that other tools have.
  if (words[0] == "help") return run_main(words.size() > 1 ? std::vector{words[1], "--help"s} : std::vector{"--help"s});
  if (words[0] == "-v") return run_main({"--version"});
  if (!words[0].starts_with("-") &&
      app.get_subcommands([&](const CLI::App* command) { return command->get_name() == words[0]; }).empty()) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({}))
      if (!command->get_group().empty()) names.push_back(command->get_name());
    const std::string nearest = nearest_name(words[0], names);
    say(fmt::format(
        "there is no command '{}'{}", words[0],
        nearest.empty() ? fmt::format("; there are {} (see oriel --help)", joined(names, " and ")) : nearest));
    return kUsage;
  }
  try {
    app.parse(std::vector<std::string>(arguments.own.rbegin(), arguments.own.rend()));
  } catch (const CLI::ParseError& error) {
    return explain(app, error, arguments.own, words[0] == "run" || !arguments.command.empty());
  }
  return exit_code;
}

}  // namespace
}  // namespace oriel::cli

int main(int argc, char** argv) {
  oriel::imports::read_statements_with(oriel::statements::read_moar_sql);
  try {
    return oriel::cli::run_main({argv + 1, argv + argc});
  } catch (const std::bad_alloc&) {
    oriel::cli::say("there is not enough memory; close other programs, or raise the limit (ulimit -v)");
    return oriel::cli::kFailed;
  } catch (const std::exception& error) {
    oriel::cli::say(fmt::format("{}; this is a bug, please report it", error.what()));
    return oriel::cli::kFailed;
  }
}
