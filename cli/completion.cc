// oriel completion: prints a completion script for a shell. Hidden in help, because installing Oriel installs the
// scripts.
#include "completion.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "base/text/words.h"
#include "commands.h"
#include "cover/cover_files.h"
#include "exit_codes.h"
#include "exports/export.h"
#include "modules/command.h"
#include "profile/trees/weight.h"
#include "report/report.h"

namespace oriel::cli {
namespace {

template <typename Rows>
std::vector<std::string> names_of(const Rows& rows) {
  std::vector<std::string> names;
  for (const auto* row : rows) names.emplace_back(row->name);
  return names;
}

std::vector<std::string> module_names() {
  std::vector<std::string> names;
  for (const modules::Command* command : modules::all_commands()) {
    if (command->of == modules::Command::Of::kRun) names.emplace_back(command->name());
  }
  return names;
}

// Of an option that rows have of their own.
template <typename Rows>
std::optional<CompletedValue> own_value(const Rows& rows, const std::string& type) {
  for (const auto* row : rows)
    for (const auto& option : row->options)
      if (option.value && type == option.value)
        return option.words ? CompletedValue{Completed::kWords, option.words()} : CompletedValue();
  return std::nullopt;
}

std::vector<std::string> weight_names() {
  std::vector<std::string> names;
  for (const profile::WeightInfo& weight : profile::weights()) names.emplace_back(weight.name);
  return names;
}

std::vector<std::string> coverage_format_names() {
  std::vector<std::string> names;
  for (const CoverFormat& format : cover_formats()) names.emplace_back(format.name);
  return names;
}

struct ValueType {
  const char* type;  // the option's type_name
  Completed kind;
  std::vector<std::string> (*words)() = nullptr;
};

// But for those that only reports and exports have: these follow from the rows.
constexpr ValueType kValueTypes[] = {
    {"FILE", Completed::kFile},
    {"OUT", Completed::kFile},
    {"LOG", Completed::kLog},
    {"DIFF", Completed::kFile},
    {"FOLDER", Completed::kFolder},
    {"[FOLDER]", Completed::kFolder},
    {"[FILE…]", Completed::kLog},
    {"[FILE…] [STATEMENT]", Completed::kLog},
    {"[REPORT] [FILE…]", Completed::kReport, [] { return names_of(report::all_reports()); }},
    {"FORMAT", Completed::kWords, [] { return names_of(exports::all_exports()); }},
    {"VERSION", Completed::kWords, [] { return std::vector<std::string>{"v1"}; }},
    {"FORMATS", Completed::kList, coverage_format_names},
    {"WEIGHT", Completed::kWords, weight_names},
    {"SHELL", Completed::kWords, shell_names},
    {"NAME[:ARGS]", Completed::kModule, module_names},
    {"{CLSID}=PATH", Completed::kNothing},
    {"HZ", Completed::kNothing},
    {"SIZE[/TIME]", Completed::kNothing},
    {"FILES", Completed::kNothing},
    {"TIME[/SIZE]", Completed::kNothing},
    {"WHEN", Completed::kNothing},
    {"TYPES", Completed::kNothing},
    {"N", Completed::kNothing},
    {"URL", Completed::kNothing},
    {"HEADER", Completed::kNothing},
    {"SIZE", Completed::kNothing},
    {"NAME=VALUE", Completed::kNothing},
    {"PERCENT", Completed::kNothing},
    {"PORT", Completed::kNothing},
    {"TIME", Completed::kNothing},
    {"NAME", Completed::kNothing},
    {"NAMES", Completed::kNothing},
    {"PATHS", Completed::kNothing},
    {"PATTERNS", Completed::kNothing},
    {"METERS", Completed::kNothing},
    {"SOURCES", Completed::kNothing},
    {"THREAD", Completed::kNothing},
};

CompletedOption completed_option(const CLI::Option& option) {
  CompletedOption completed;
  for (const std::string& name : option.get_snames()) completed.names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) completed.names.push_back("--" + name);
  completed.help = option.get_description();
  completed.has_value = option.get_items_expected_max() > 0;
  completed.needs_value = option.get_items_expected_min() > 0;
  if (!completed.has_value) return completed;
  completed.type = option.get_type_name();
  completed.value = completed_value(completed.type).value_or(CompletedValue());
  return completed;
}

void add_commands(const CLI::App& app, const std::string& name, std::vector<CompletedCommand>& to) {
  CompletedCommand command{name, app.get_description(), {}};
  for (const CLI::Option* option : app.get_options()) {
    if (option->nonpositional())
      command.options.push_back(completed_option(*option));
    else
      command.positional = completed_value(option->get_type_name()).value_or(CompletedValue());
  }
  // The program and its arguments follow the options (arguments.h).
  if (name == "run" || name == "cover") command.positional.kind = Completed::kProgram;
  to.push_back(std::move(command));
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App* it) { return !it->get_group().empty(); }))
    add_commands(*sub, name.empty() ? sub->get_name() : name + " " + sub->get_name(), to);
}

}  // namespace

std::optional<CompletedValue> completed_value(const std::string& type) {
  for (const ValueType& known : kValueTypes) {
    // The type name may have a validator after a colon.
    if (type != known.type && !type.starts_with(std::string(known.type) + ":")) continue;
    return CompletedValue{known.kind, known.words ? known.words() : std::vector<std::string>()};
  }
  if (auto value = own_value(report::all_reports(), type)) return value;
  if (auto value = own_value(exports::all_exports(), type)) return value;
  if (type.find('|') == std::string::npos) return std::nullopt;
  return CompletedValue{Completed::kWords, split(type, '|')};
}

std::vector<CompletedCommand> completed_commands(const CLI::App& app) {
  std::vector<CompletedCommand> commands;
  add_commands(app, "", commands);
  return commands;
}

void add_completion(CLI::App& app, int& exit_code) {
  CLI::App* sub = app.add_subcommand("completion", "Print a shell's completion script for Oriel");
  sub->group("");
  auto shell = std::make_shared<std::string>();
  set_usage(*sub, "oriel completion bash|zsh|fish");
  sub->add_option("shell", *shell, "The shell")->required()->type_name("SHELL");
  sub->callback([shell, &app, &exit_code] {
    const std::string script = completion_script(*shell, completed_commands(app));
    exit_code = script.empty() ? kUsage : 0;
    if (script.empty())
      say(fmt::format("completion: unknown shell '{}'; use bash, zsh or fish", *shell));
    else
      fmt::print("{}", script);
  });
}

}  // namespace oriel::cli
