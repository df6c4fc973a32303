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

}  // namespace

void ModuleOptions::add_to(CLI::App& command, std::vector<const modules::Command*> modules) {
  commands_ = std::move(modules);
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

void load_in(Environment& environment, std::vector<PlannedModule>& modules,
             const std::function<std::string(size_t)>& file_of, const std::string& others) {
  std::string text;
  for (size_t i = 0; i < modules.size(); ++i) text += (i == 0 ? "" : ";") + modules[i].description(file_of(i));
  set_value(environment, "ORIEL_PROFILERS", text + others);
}

}  // namespace oriel::cli
