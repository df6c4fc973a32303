#include "run/module_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace oriel::cli {
namespace {

using modules::Option;
using modules::OptionKind;

CLI::Option* add(CLI::App& to, const modules::Command& command, const Option& option) {
  const Option* const row = command.table.value_of(option);
  const std::string help = option.help;
  CLI::Option* added = nullptr;
  if (!row || row->value.kind == OptionKind::kFlag) {
    added = to.add_flag(option.option, help);
  } else {
    added = to.add_option(
                  option.option, [](const CLI::results_t&) { return true; }, help)
                ->type_name(option.values)
                ->expected(row->needs_value() ? 1 : 0, 1)
                ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll);
  }
  return option.is_instrumentation ? added->group("Calls and allocations") : added;
}

// The value as typed; nullopt if there is none. The parser gives "true" for a flag without a value.
std::optional<std::string_view> typed_value(const CLI::Option& option, const std::string& result) {
  const bool is_flag = option.get_items_expected_max() == 0;
  return result.empty() || (is_flag && result == "true") ? std::nullopt : std::optional<std::string_view>(result);
}

// --inlining=block does something to methods whose calls are asked for.
Status check_inlining(std::vector<PlannedModule>& given) {
  bool block = false;
  for (PlannedModule& module : given) {
    if (!module.has("inlining") || !module.has("calls")) continue;
    if (module.is_given("calls")) return Status::ok();
    block |= module.text_of("inlining") == "block";
  }
  if (!block) return Status::ok();
  return Status::error(
      "--inlining=block applies to the methods that --calls or --callgraph choose; give one of them too");
}

}  // namespace

std::string PlannedModule::text_of(const char* name) {
  return modules::value_text(command->table, *command->table.find(name), *options_);
}

std::string PlannedModule::description(const std::string& file) {
  return fmt::format("{}:{}", command->name(), modules::text_of(command->table, *options_, &file));
}

std::string PlannedModule::description() {
  return fmt::format("{}:{}", command->name(), modules::text_of(command->table, *options_));
}

void ModuleOptions::add_to(CLI::App& command) {
  for (const modules::Command* its : modules::all_commands()) {
    if (its->of == modules::Command::Of::kRun) commands_.push_back(its);
  }
  std::stable_partition(commands_.begin(), commands_.end(), [](const auto* it) { return it->is_default(); });
  for (size_t i = 0; i < commands_.size(); ++i) {
    for (const Option& option : commands_[i]->table.rows) {
      if (*option.option == '\0') continue;
      const auto known = std::ranges::find_if(
          uses_, [&](const Use& use) { return std::string_view(use.of.front().second->option) == option.option; });
      if (known != uses_.end())
        known->of.emplace_back(i, &option);
      else
        uses_.push_back({add(command, *commands_[i], option), {{i, &option}}});
    }
  }
}

std::vector<std::string> ModuleOptions::typed() const {
  std::vector<std::string> typed;
  for (const Use& use : uses_)
    if (use.parsed->count() > 0) typed.emplace_back(use.of.front().second->option);
  return typed;
}

std::string ModuleOptions::option_for_pattern() const {
  std::string first;
  bool any_bare = false;
  for (const Use& use : uses_) {
    const auto [module, option] = use.of.front();
    const auto& results = use.parsed->results();
    const bool bare = std::find(results.begin(), results.end(), "") != results.end();
    any_bare |= bare && option->is_instrumentation;
    const Option* const row = commands_[module]->table.value_of(*option);
    if (!row || row->value.kind != OptionKind::kPatterns) continue;
    if (bare) return option->option;
    if (first.empty()) first = option->option;
  }
  return any_bare ? first : "";
}

Result<std::vector<PlannedModule>> ModuleOptions::given() const {
  std::vector<PlannedModule> given;
  for (const modules::Command* command : commands_) given.emplace_back(*command);
  for (const Use& use : uses_) {
    for (const std::string& result : use.parsed->results()) {
      for (const auto& [module, option] : use.of) {
        const Status status = given[module].give(*option, typed_value(*use.parsed, result));
        if (!status) return status;
        given[module].wished |= use.of.size() == 1;
      }
    }
  }
  return given;
}

Status add_text(PlannedModule& to, const std::string& text) {
  to.wished = true;
  if (Status status = to.read(text); !status) return status;
  const char* const file = to.command->table.file().name;
  if (!to.is_given(file)) return Status::ok();
  const std::string path = to.text_of(file);
  return Status::error(fmt::format("--module {}:{}={}: oriel run names this file itself; write -o {}",
                                   to.command->name(), file, path, path));
}

bool is_selected_by_option(const PlannedModule& module) {
  return !module.command->is_default() && module.is_given(module.command->asked_by);
}

Result<std::vector<PlannedModule>> modules_to_load(std::vector<PlannedModule> given) {
  for (PlannedModule& module : given) {
    if (Status status = module.check(); !status) return status;
  }
  if (Status status = check_inlining(given); !status) return status;
  const bool any_asked = std::ranges::any_of(given, is_selected_by_option);
  std::vector<PlannedModule> loaded;
  for (PlannedModule& module : given) {
    const bool by_default = module.command->is_default() && (module.wished || !any_asked);
    if (by_default || is_selected_by_option(module)) loaded.push_back(std::move(module));
  }
  return loaded;
}

void load_in(Environment& environment, std::vector<PlannedModule>& modules,
             const std::function<std::string(size_t)>& file_of, const std::string& others) {
  std::string text;
  for (size_t i = 0; i < modules.size(); ++i) text += (i == 0 ? "" : ";") + modules[i].description(file_of(i));
  set_value(environment, "ORIEL_PROFILERS", text + others);
}

}  // namespace oriel::cli
