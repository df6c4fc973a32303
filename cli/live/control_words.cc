#include "live/control_words.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>

#include "base/text/words.h"
#include "modules/command.h"
#include "run/module_options.h"

namespace oriel::cli {
namespace {

using control::Words;
using modules::Command;
using modules::Option;

// What is to change of a module.
struct Changes {
  explicit Changes(const Command& command) : given(command) {}

  PlannedModule given;
  std::vector<std::string> dropped;
  bool stop = false;  // the module itself
};

struct Feature {
  const Command* command;
  const Option* option;
};

const Option* option_named(const Command& command, std::string_view name) {
  for (const Option& option : command.table.rows) {
    if (*option.option != '\0' && std::string_view(option.option).substr(2) == name) return &option;
  }
  return nullptr;
}

// The module whose option it is: of several the one that is loaded by default. "callgraph:alloc" names another.
std::optional<Feature> feature_named(std::string_view name) {
  std::optional<Feature> found;
  const size_t colon = name.find(':');
  for (const Command* command : modules::all_commands()) {
    if (colon != std::string_view::npos && name.substr(0, colon) != command->name()) continue;
    const Option* const option = option_named(*command, name.substr(colon == std::string_view::npos ? 0 : colon + 1));
    if (option && (!found || command->is_default())) found = {command, option};
  }
  return found;
}

std::string known_features() {
  std::vector<std::string> names;
  for (const Command* command : modules::all_commands()) {
    for (const Option& option : command->table.rows) {
      const std::string name = *option.option != '\0' ? option.option + 2 : "";
      if (!name.empty() && std::ranges::find(names, name) == names.end()) names.push_back(name);
    }
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

// The rows of the table that the option sets.
std::vector<const Option*> rows_of(const Feature& feature) {
  std::vector<const Option*> rows;
  if (const Option* const value = feature.command->table.value_of(*feature.option)) rows.push_back(value);
  for (std::string_view sets = feature.option->sets; !sets.empty();) {
    std::string_view item = cut(sets, ',');
    rows.push_back(feature.command->table.find(cut(item, '=')));
  }
  return rows;
}

// Ends what the option asks for: what is on by default by the option that turns it off, the rest as if it had not been
// given. A module that the option alone has loaded is stopped.
Status end_feature(const Feature& feature, Changes& changes) {
  for (const Option* row : rows_of(feature)) {
    if (feature.command->asked_by == std::string_view(row->name)) changes.stop = true;
    const Option* const off = option_named(*feature.command, fmt::format("no-{}", row->name));
    if (off) {
      if (Status status = changes.given.give(*off, std::nullopt); !status) return status;
    } else {
      changes.dropped.emplace_back(row->name);
    }
  }
  return Status::ok();
}

class Translation {
 public:
  Translation(const std::string& verb, std::string output) : verb_(verb), output_(std::move(output)) {}

  Status add(const std::string& word) {
    const size_t equals = std::min(word.find('='), word.size());
    const std::string name = word.substr(0, equals);
    const bool has_value = equals < word.size();
    if (const std::optional<Feature> feature = feature_named(name)) {
      Changes& changes = of(*feature->command);
      if (verb_ != "stop")
        return changes.given.give(
            *feature->option,
            has_value ? std::optional<std::string_view>(std::string_view(word).substr(equals + 1)) : std::nullopt);
      if (has_value)
        return Status::error(fmt::format("stop {0}: a value means nothing here; write: stop {1}", word, name));
      return end_feature(*feature, changes);
    }
    if (has_value || verb_ == "set")
      return Status::error(fmt::format("there is no feature '{}'; there are: {}", name, known_features()));
    // A module by its name, a user's own too.
    if (const Command* const command = modules::find_command(name)) {
      of(*command).stop = verb_ == "stop";
    } else {
      others_.push_back(name);
    }
    return Status::ok();
  }

  std::vector<Words> requests() {
    std::vector<Words> requests;
    for (Changes& changes : changes_) requests.push_back(request_of(changes));
    for (const std::string& name : others_) requests.push_back({verb_, name});
    if (requests.empty()) requests.push_back({verb_});
    return requests;
  }

 private:
  Changes& of(const Command& command) {
    const auto found =
        std::ranges::find_if(changes_, [&](const Changes& changes) { return changes.given.command == &command; });
    return found != changes_.end() ? *found : changes_.emplace_back(command);
  }

  Words request_of(Changes& changes) const {
    const std::string name = changes.given.command->name();
    if (changes.stop) return {"stop", name};
    std::string text = changes.given.description();
    text = text.substr(name.size() + 1);
    if (!output_.empty())
      text += fmt::format("{}{}={}", text.empty() ? "" : ",", changes.given.command->table.file().name, output_);
    return {verb_ == "start" ? "start" : "set", name, text, join(changes.dropped, ",")};
  }

  const std::string verb_, output_;
  std::vector<Changes> changes_;
  std::vector<std::string> others_;
};

std::string word_of(const Words& words, size_t index) { return index < words.size() ? words[index] : ""; }

// Modules by their names, with what is known of their options.
struct KnownModule {
  std::string options;
  bool waits = false, runs = false;
};

}  // namespace

Status check_together(const std::vector<Words>& state, const std::vector<Words>& requests) {
  std::map<std::string, KnownModule> modules;
  for (const Words& line : state) {
    const std::string is = word_of(line, 2);
    if (line[0] == "module") modules[word_of(line, 1)] = {word_of(line, 3), is == "waiting", is == "running"};
  }
  bool starts = false;
  for (const Words& request : requests) {
    if (request[0] != "start" && request[0] != "set") continue;
    starts = true;
    const std::string name = word_of(request, 1);
    for (auto& [known, module] : modules) module.runs |= name.empty() && module.waits;
    const Command* const command = modules::find_command(name);
    if (!command) continue;
    KnownModule& module = modules[name];
    module.runs = true;
    module.options = modules::changed_text(command->table, module.options, word_of(request, 2), word_of(request, 3));
  }
  std::vector<PlannedModule> running;
  for (const auto& [name, module] : modules) {
    const Command* const command = modules::find_command(name);
    if (!command || !module.runs) continue;
    PlannedModule& planned = running.emplace_back(*command);
    if (Status status = planned.read(module.options); !status) return Status::ok();
  }
  return starts ? settings::check_budget(running) : Status::ok();
}

Result<std::vector<Words>> requests_for(const std::vector<std::string>& words, const std::string& output) {
  const std::string& verb = words[0];
  if (verb != "start" && verb != "set" && verb != "stop") return std::vector<Words>{words};
  if (verb == "set" && words.size() == 1)
    return Status::error(
        fmt::format("set: name a feature, such as set calls='Shop.*'; there are: {}", known_features()));
  Translation translation(verb, output);
  for (size_t i = 1; i < words.size(); ++i) {
    if (Status status = translation.add(words[i]); !status) return status;
  }
  return translation.requests();
}

}  // namespace oriel::cli
