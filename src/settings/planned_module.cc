#include "settings/planned_module.h"

#include <algorithm>
#include <utility>

namespace oriel::settings {
namespace {

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

// Of what the log itself counts, set_budget of its options says the same.
Status check_budget(const std::vector<PlannedModule>& running) {
  const auto has_budget = [](const PlannedModule& module) { return module.is_given("budget"); };
  const auto counts_each = [](const PlannedModule& module) { return module.command->counts_each; };
  const auto exact = std::ranges::find_if(running, counts_each);
  if (exact == running.end() || std::ranges::none_of(running, has_budget)) return Status::ok();
  const modules::Command& command = *exact->command;
  const modules::Option* const option = command.is_default() ? nullptr : command.table.find(command.asked_by);
  return Status::error("--budget cannot limit " + std::string(option ? option->option : command.name()) +
                       ", which counts each one, whatever that takes; leave one of them out");
}

std::string PlannedModule::text_of(const char* name) {
  return modules::value_text(command->table, *command->table.find(name), *options_);
}

std::string PlannedModule::description(const std::string& file) {
  return std::string(command->name()) + ":" + modules::text_of(command->table, *options_, &file);
}

std::string PlannedModule::description() {
  return std::string(command->name()) + ":" + modules::text_of(command->table, *options_);
}

std::vector<const modules::Command*> commands_of_run() {
  std::vector<const modules::Command*> commands = commands_of_attach();
  std::erase_if(commands, [](const auto* it) { return it->of != modules::Command::Of::kRun; });
  return commands;
}

std::vector<const modules::Command*> commands_of_attach() {
  const auto all = modules::all_commands();
  std::vector<const modules::Command*> commands(all.begin(), all.end());
  std::stable_partition(commands.begin(), commands.end(), [](const auto* it) { return it->is_default(); });
  return commands;
}

bool is_selected_by_option(const PlannedModule& module) {
  return !module.command->is_default() && module.is_given(module.command->asked_by);
}

PlannedModule* find_loaded(const std::string& name, std::vector<PlannedModule>& given) {
  for (PlannedModule& module : given) {
    const bool may_be = module.command->is_default() || is_selected_by_option(module);
    if (module.command->name() == name && may_be) return &module;
  }
  return nullptr;
}

Status add_text(PlannedModule& to, const std::string& text) {
  to.wished = true;
  if (Status status = to.read(text); !status) return status;
  const std::string file = to.command->table.file().name;
  if (!to.is_given(file.c_str())) return Status::ok();
  const std::string path = to.text_of(file.c_str());
  return Status::error(std::string("--module ") + to.command->name() + ":" + file + "=" + path +
                       ": oriel run names this file itself; write -o " + path);
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
  if (Status status = check_budget(loaded); !status) return status;
  return loaded;
}

std::string with_ending(const std::string& log, std::string_view ending) {
  constexpr std::string_view kEnding = ".oriel";
  const bool usual = log.size() > kEnding.size() && log.ends_with(kEnding);
  return (usual ? log.substr(0, log.size() - kEnding.size()) : log) + std::string(ending);
}

}  // namespace oriel::settings
