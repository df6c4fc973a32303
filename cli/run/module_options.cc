#include "run/module_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace oriel::cli {
namespace {

using modules::Argument;
using modules::ArgumentKind;

CLI::Option* add(CLI::App& to, const modules::Command& command, const modules::Option& option) {
  const Argument* argument = modules::find_argument(command.arguments, option.takes);
  const std::string help = option.help;
  CLI::Option* added = nullptr;
  if (!argument || argument->kind == ArgumentKind::kFlag) {
    added = to.add_flag(option.name, help);
  } else {
    added = to.add_option(
                  option.name, [](const CLI::results_t&) { return true; }, help)
                ->type_name(option.values)
                ->expected(argument->needs_value() ? 1 : 0, 1)
                ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  return option.is_instrumentation ? added->group("Calls and allocations") : added;
}

// The value as typed; nullopt if there is none. The parser gives "true" for a flag without a value.
std::optional<std::string_view> typed_value(const CLI::Option& option, const std::string& result) {
  const bool is_flag = option.get_items_expected_max() == 0;
  return result.empty() || (is_flag && result == "true") ? std::nullopt : std::optional<std::string_view>(result);
}

// --inlining=block affects only methods whose calls are logged.
Status check_inlining(const std::vector<PlannedModule>& given) {
  bool block = false;
  for (const PlannedModule& module : given) {
    const modules::Arguments& arguments = module.arguments;
    if (!arguments.has("inlining") || !arguments.has("calls")) continue;
    if (arguments.given(arguments.row_of("calls"))) return Status::ok();
    block |= arguments.value(arguments.row_of("inlining")) == "block";
  }
  if (!block) return Status::ok();
  return Status::error(
      "--inlining=block is about the methods that --calls or --callgraph choose; give one of them too");
}

}  // namespace

void ModuleOptions::add_to(CLI::App& command) {
  const auto all = modules::all_commands();
  commands_.assign(all.begin(), all.end());
  std::stable_partition(commands_.begin(), commands_.end(), [](const auto* it) { return it->is_default(); });
  for (size_t i = 0; i < commands_.size(); ++i) {
    for (const modules::Option& option : commands_[i]->options) {
      const auto known = std::find_if(uses_.begin(), uses_.end(), [&](const Use& use) {
        return std::string_view(use.of.front().second->name) == option.name;
      });
      if (known != uses_.end())
        known->of.emplace_back(i, &option);
      else
        uses_.push_back({add(command, *commands_[i], option), {{i, &option}}});
    }
  }
}

std::string ModuleOptions::option_for_pattern() const {
  std::string first;
  bool any_bare = false;
  for (const Use& use : uses_) {
    const auto [module, option] = use.of.front();
    const auto& results = use.parsed->results();
    const bool bare = std::find(results.begin(), results.end(), "") != results.end();
    any_bare |= bare && option->is_instrumentation;
    const Argument* argument = modules::find_argument(commands_[module]->arguments, option->takes);
    if (!argument || argument->kind != ArgumentKind::kPatterns) continue;
    if (bare) return option->name;
    if (first.empty()) first = option->name;
  }
  return any_bare ? first : "";
}

Result<std::vector<PlannedModule>> ModuleOptions::given() const {
  std::vector<PlannedModule> given;
  for (const modules::Command* command : commands_) {
    given.push_back({command, modules::Arguments(command->name, command->arguments, command->options)});
  }
  for (const Use& use : uses_) {
    for (const std::string& result : use.parsed->results()) {
      for (const auto& [module, option] : use.of) {
        const Status status = given[module].arguments.give(*option, typed_value(*use.parsed, result));
        if (!status) return status;
        given[module].wished |= use.of.size() == 1;
      }
    }
  }
  return given;
}

Status add_text(PlannedModule& to, const std::string& text) {
  to.wished = true;
  if (Status status = to.arguments.parse(text); !status) return status;
  const size_t file = to.arguments.file_row();
  if (!to.arguments.given(file)) return Status::ok();
  return Status::error(fmt::format("--module {}:{}={}: oriel run names this file itself; write -o {}", to.command->name,
                                   to.arguments.argument(file).name, to.arguments.value(file),
                                   to.arguments.value(file)));
}

bool is_asked_for(const PlannedModule& module) {
  const modules::Arguments& arguments = module.arguments;
  return !module.command->is_default() && arguments.given(arguments.row_of(module.command->asked_by));
}

Result<std::vector<PlannedModule>> modules_to_load(const std::vector<PlannedModule>& given) {
  for (const PlannedModule& module : given) {
    if (Status status = module.command->check(module.arguments); !status) return status;
  }
  if (Status status = check_inlining(given); !status) return status;
  const bool any_asked = std::any_of(given.begin(), given.end(), is_asked_for);
  std::vector<PlannedModule> loaded;
  for (const PlannedModule& module : given) {
    const bool by_default = module.command->is_default() && (module.wished || !any_asked);
    if (by_default || is_asked_for(module)) loaded.push_back(module);
  }
  return loaded;
}

}  // namespace oriel::cli
