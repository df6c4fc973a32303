#include "arguments.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

#include "modules/command.h"

namespace oriel::cli {
namespace {

// Options of `run`, `attach` and `cover`, besides those of modules, whose value is the next argument.
constexpr std::array<std::string_view, 15> kWithValue = {
    "-o",          "--output", "--for", "--config",  "--module",  "--clr-profiler",  "--clr-profiler-config",
    "--mode",      "--format", "-f",    "--include", "--exclude", "--exclude-files", "--exclude-attributes",
    "--fail-under"};

// Where the option of a module has its value; nullptr if it is none, or has none.
const modules::Option* row_of(const std::string& option) {
  for (const modules::Command* command : modules::all_commands()) {
    for (const modules::Option& known : command->table.rows) {
      if (option == known.option) return command->table.value_of(known);
    }
  }
  return nullptr;
}

bool needs_value(const std::string& option) {
  if (std::find(kWithValue.begin(), kWithValue.end(), option) != kWithValue.end()) return true;
  const modules::Option* const row = row_of(option);
  return row && row->needs_value();
}

// Values of module options follow '='. A separate word that looks like a pattern is taken for a misplaced value, not a
// program.
bool is_pattern_of(const std::string& option, const std::string& word) {
  const modules::Option* const row = row_of(option);
  const bool takes_some =
      row && (row->value.kind == modules::OptionKind::kPatterns || row->value.kind == modules::OptionKind::kNames);
  if (!takes_some) return false;
  return !word.starts_with('-') && word.find_first_of("*?[]!,") != std::string::npos;
}

// Words that are no options come first: an option that may have a value would take the next word for it.
Arguments words_first(const std::vector<std::string>& arguments) {
  Arguments split;
  std::vector<std::string> options;
  split.own.push_back(arguments[0]);
  for (size_t i = 1; i < arguments.size(); ++i) {
    if (!arguments[i].starts_with('-')) {
      split.own.push_back(arguments[i]);
      continue;
    }
    options.push_back(arguments[i]);
    if (needs_value(arguments[i]) && i + 1 < arguments.size()) options.push_back(arguments[++i]);
  }
  split.own.insert(split.own.end(), options.begin(), options.end());
  return split;
}

bool runs_a_program(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return false;
  if (arguments[0] == "run") return true;
  return arguments[0] == "cover" &&
         !(arguments.size() > 1 && (arguments[1] == "merge" || arguments[1] == "diff" || arguments[1] == "recover"));
}

}  // namespace

Arguments split_arguments(const std::vector<std::string>& arguments) {
  if (!arguments.empty() && arguments[0] == "attach") return words_first(arguments);
  Arguments split;
  if (!runs_a_program(arguments)) {
    split.own = arguments;
    return split;
  }
  split.own.push_back(arguments[0]);
  size_t i = 1;
  while (i < arguments.size() && arguments[i].starts_with('-') && arguments[i] != "--") {
    const std::string& option = arguments[i++];
    split.own.push_back(option);
    if (i == arguments.size()) break;
    if (needs_value(option)) {
      split.own.push_back(arguments[i++]);
    } else if (is_pattern_of(option, arguments[i])) {
      split.own.back() += "=" + arguments[i++];
    }
  }
  if (i < arguments.size() && arguments[i] == "--") i++;
  split.command.assign(arguments.begin() + static_cast<ptrdiff_t>(i), arguments.end());
  return split;
}

}  // namespace oriel::cli
