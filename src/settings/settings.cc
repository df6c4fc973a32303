#include "settings/settings.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <utility>

#include "base/files/input_file.h"
#include "base/process/module_spec.h"
#include "base/text/edit_distance.h"
#include "base/text/words.h"
#include "settings/planned_module.h"

namespace oriel::settings {
namespace {

using Json = nlohmann::ordered_json;
using modules::Option;
using modules::OptionKind;

constexpr uint64_t kMostBytes = 1 << 20;
constexpr const char *kOutput = "output", *kModule = "module";

// Options that are no module's and have no value.
struct Switch {
  const char* name;
  bool Settings::*field;
};
constexpr Switch kSwitches[] = {
    {"paused", &Settings::paused}, {"children", &Settings::children}, {"no-redact", &Settings::no_redact}};

// An option of `oriel run` in the tables of its modules.
struct Known {
  const Option* option = nullptr;
  const Option* row = nullptr;  // that has its value; nullptr: none
};

Known find_option(const std::string& option) {
  for (const modules::Command* command : commands_of_run()) {
    for (const Option& known : command->table.rows) {
      if (option == known.option) return {&known, command->table.value_of(known)};
    }
  }
  return {};
}

std::vector<std::string> known_names() {
  std::vector<std::string> names = {kOutput, kModule};
  for (const Switch& known : kSwitches) names.emplace_back(known.name);
  for (const modules::Command* command : commands_of_run()) {
    for (const Option& known : command->table.rows) {
      if (*known.option != '\0') names.emplace_back(known.option + 2);
    }
  }
  return names;
}

std::string unknown(const std::string& name) {
  const std::string nearest = nearest_word(name, known_names());
  return "there is no setting '" + name + "'" +
         (nearest.empty() ? "; see oriel run --help" : "; did you mean '" + nearest + "'?");
}

// The line of the byte with that offset, from 1.
size_t line_at(std::string_view text, size_t offset) {
  return 1 + static_cast<size_t>(std::ranges::count(text.substr(0, std::min(offset, text.size())), '\n'));
}

// Where a name stands; line 1 if it is written with escapes.
size_t line_of(std::string_view text, const std::string& name) {
  const size_t at = text.find('"' + name + '"');
  return line_at(text, at == std::string_view::npos ? 0 : at);
}

std::string expected(const Option* row) {
  switch (row ? row->value.kind : OptionKind::kNone) {
    case OptionKind::kNone:
    case OptionKind::kFlag:
      return "true or false";
    case OptionKind::kNumber:
      return "a whole number";
    case OptionKind::kPatterns:
    case OptionKind::kNames:
      return "a text, an array of texts, or true";
    case OptionKind::kChoice:
    case OptionKind::kText:
    case OptionKind::kFile:
      break;
  }
  return "a text";
}

// The texts of an array, with commas between them; nullopt where it has something else.
std::optional<std::string> joined(const Json& array) {
  std::vector<std::string> texts;
  for (const Json& item : array) {
    if (!item.is_string()) return std::nullopt;
    texts.push_back(item.get<std::string>());
  }
  return join(texts, ",");
}

// A value as a person would type it; false if it is of another type than the option's.
bool typed(const Json& value, const Option* row, std::optional<std::string>& text) {
  const OptionKind kind = row ? row->value.kind : OptionKind::kNone;
  const bool is_list = kind == OptionKind::kPatterns || kind == OptionKind::kNames;
  const bool is_text = is_list || kind == OptionKind::kChoice || kind == OptionKind::kText;
  if (value.is_boolean()) return !row || !row->needs_value();
  if (value.is_number_unsigned() && kind == OptionKind::kNumber) text = std::to_string(value.get<uint64_t>());
  if (value.is_string() && is_text) text = value.get<std::string>();
  if (value.is_array() && is_list) text = joined(value);
  return text.has_value();
}

// Takes a setting of a module. Errors do not name the file.
Status take_option(const std::string& name, const Json& value, Settings& settings) {
  Setting setting{"--" + name, {}};
  const Known known = find_option(setting.option);
  if (!known.option) return Status::error(unknown(name));
  if (!typed(value, known.row, setting.value)) return Status::error("'" + name + "' is " + expected(known.row));
  if (value.is_boolean() && !value.get<bool>()) return Status::ok();
  settings.options.push_back(std::move(setting));
  return Status::ok();
}

// One text, or an array of them. The engine separates modules by ';'.
Status take_modules(const Json& value, Settings& settings) {
  const Json list = value.is_string() ? Json::array({value}) : value;
  for (const Json& item : list) {
    const std::string text = item.is_string() ? item.get<std::string>() : "";
    if (text.empty() || text.find(';') != std::string::npos) {
      settings.modules.clear();
      break;
    }
    settings.modules.push_back(text);
  }
  if (settings.modules.empty())
    return Status::error("'module' is a text or an array of texts, without ';': NAME[:ARGS], or a library's path");
  for (const std::string& text : settings.modules) {
    if (Result<ModuleSpec> spec = parse_module(text); !spec) return spec.status();
  }
  return Status::ok();
}

Status take(const std::string& name, const Json& value, Settings& settings) {
  const auto* const found = std::ranges::find(kSwitches, name, [](const Switch& it) { return std::string(it.name); });
  if (found != std::end(kSwitches)) {
    if (!value.is_boolean()) return Status::error("'" + name + "' is true or false");
    settings.*(found->field) = value.get<bool>();
    return Status::ok();
  }
  if (name == kModule) return take_modules(value, settings);
  if (name != kOutput) return take_option(name, value, settings);
  if (!value.is_string() || value.get<std::string>().empty())
    return Status::error("'output' is a text: the log's file, such as /data/%n-%p.oriel");
  settings.output = value.get<std::string>();
  // The engine separates modules by it.
  return settings.output.find(';') == std::string::npos
             ? Status::ok()
             : Status::error("'output' has a ';', which cannot be passed on");
}

std::vector<PlannedModule> all_modules() {
  std::vector<PlannedModule> all;
  for (const modules::Command* command : commands_of_run()) all.emplace_back(*command);
  return all;
}

// Gives a setting to the modules that have its option.
Status give(const Setting& setting, std::vector<PlannedModule>& all) {
  std::vector<std::pair<PlannedModule*, const Option*>> users;
  for (PlannedModule& module : all) {
    for (const Option& option : module.command->table.rows) {
      if (setting.option == option.option) users.emplace_back(&module, &option);
    }
  }
  for (const auto& [module, option] : users) {
    if (Status status = module->give(*option, setting.value); !status) return status;
    module->wished |= users.size() == 1;
  }
  return Status::ok();
}

// "syntax error while parsing value …" of the JSON library's "[json.exception…] parse error at line 1, column 2: …".
std::string reason_of(const Json::parse_error& error) {
  const std::string_view text = error.what();
  const size_t colon = text.find(": ");
  return std::string(colon == std::string_view::npos ? text : text.substr(colon + 2));
}

}  // namespace

Result<Settings> parse_settings(const std::string& text, const std::string& file) {
  const auto wrong = [&](size_t line, const std::string& what) {
    return Status::error(file + ":" + std::to_string(line) + ": " + what);
  };
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    return wrong(line_at(text, error.byte > 0 ? error.byte - 1 : 0), "this is no JSON: " + reason_of(error));
  }
  if (!json.is_object()) return wrong(1, "settings are an object: {\"sample\": 500}");
  Settings settings;
  std::vector<PlannedModule> all = all_modules();
  for (const auto& [name, value] : json.items()) {
    const size_t before = settings.options.size();
    Status status = take(name, value, settings);
    if (status && settings.options.size() > before) status = give(settings.options.back(), all);
    if (!status) return wrong(line_of(text, name), status.message());
  }
  return settings;
}

Result<Settings> read_settings(const std::string& file) {
  const Result<std::string> text = read_input_text(file, kMostBytes);
  if (!text) return Status::error("the settings " + file + " cannot be read: " + text.message());
  return parse_settings(*text, file);
}

Result<std::string> modules_text(const Settings& settings) {
  std::vector<PlannedModule> all = all_modules();
  for (const Setting& setting : settings.options) {
    if (Status status = give(setting, all); !status) return status;
  }
  std::string others;
  for (const std::string& text : settings.modules) {
    const Result<ModuleSpec> spec = parse_module(text);
    PlannedModule* const own = spec && spec->path.empty() ? find_loaded(spec->name, all) : nullptr;
    if (!own) others += ";" + text;
    if (Status status = own ? add_text(*own, spec->args) : Status::ok(); !status) return status;
  }
  Result<std::vector<PlannedModule>> loaded = modules_to_load(std::move(all));
  if (!loaded) return loaded.status();
  const std::string log = settings.output.empty() ? "%n-%p.oriel" : settings.output;
  std::string text;
  for (size_t i = 0; i < loaded->size(); ++i) {
    PlannedModule& module = (*loaded)[i];
    const std::string description = module.description(i == 0 ? log : with_ending(log, module.command->file_ending));
    text += (i == 0 ? "" : ";") + description;
  }
  return text + others;
}

}  // namespace oriel::settings
