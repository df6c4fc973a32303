#include "module/arguments.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "base/text/patterns.h"
#include "base/text/whole_number.h"
#include "base/text/words.h"

namespace oriel::modules {
namespace {

bool is_among(std::string_view words, std::string_view word) {
  while (!words.empty()) {
    if (cut(words, '|') == word) return true;
  }
  return false;
}

// "process, real or none" for "process|real|none".
std::string in_words(std::string_view words) {
  std::string text;
  while (!words.empty()) {
    const std::string word(cut(words, '|'));
    text += (text.empty() ? "" : words.empty() ? " or " : ", ") + word;
  }
  return text;
}

std::string typed_as(const std::string& said, std::optional<std::string_view> value) {
  return value ? said + "=" + std::string(*value) : said;
}

}  // namespace

const Argument* find_argument(std::span<const Argument> table, std::string_view name) {
  const auto found = std::find_if(table.begin(), table.end(), [&](const Argument& it) { return it.name == name; });
  return found == table.end() ? nullptr : &*found;
}

size_t Arguments::row_of(std::string_view name) const {
  const Argument* argument = find_argument(table_, name);
  assert(argument != nullptr);
  return static_cast<size_t>(argument - table_.data());
}

size_t Arguments::file_row() const {
  size_t row = 0;
  while (row + 1 < table_.size() && table_[row].kind != ArgumentKind::kFile) ++row;
  return row;
}

std::string Arguments::known() const {
  std::vector<std::string_view> names;
  for (const Argument& argument : table_) names.push_back(argument.name);
  return join(names, ", ");
}

std::string Arguments::name(size_t row) const {
  for (const Option& option : options_) {
    if (table_[row].name == std::string_view(option.takes) && option.sets[0] == '\0') return option.name;
  }
  return table_[row].name;
}

std::string Arguments::said(size_t row) const {
  const std::string called = name(row);
  return called.starts_with('-') ? called : std::string(module_) + ": " + called;
}

Status Arguments::parse(std::string_view text) {
  while (!text.empty()) {
    const std::string_view all = text;
    std::string_view item = cut(text, ',');
    if (item.empty()) continue;
    const Argument* argument = find_argument(table_, item.substr(0, item.find('=')));
    if (argument && argument->kind == ArgumentKind::kFile) {
      item = all;
      text = {};
    }
    const bool has_value = item.find('=') != std::string_view::npos;
    const std::string name(cut(item, '='));
    if (!argument) return Status::error(std::string(module_) + ": unknown argument '" + name + "'; known: " + known());
    const std::optional<std::string_view> value = has_value ? std::optional(item) : std::nullopt;
    const std::string said = std::string(module_) + ": " + name;
    if (Status status = set(row_of(name), value, said, typed_as(said, value)); !status) return status;
  }
  return Status::ok();
}

Status Arguments::give(const Option& option, std::optional<std::string_view> value) {
  const std::string typed = typed_as(option.name, value);
  for (std::string_view sets = option.sets; !sets.empty();) {
    std::string_view item = cut(sets, ',');
    const size_t row = row_of(cut(item, '='));
    if (Status status = set(row, item, option.name, typed); !status) return status;
  }
  if (option.takes[0] == '\0') {
    return value ? Status::error(std::string(option.name) + " has no value; leave out =" + std::string(*value))
                 : Status::ok();
  }
  const size_t row = row_of(option.takes);
  // The option's `sets` says everything then.
  if (!value && option.sets[0] != '\0') return Status::ok();
  return set(row, value, option.name, typed);
}

Status Arguments::add_patterns(Value& to, std::optional<std::string_view> value, const std::string& said) {
  const Result<MethodPatterns> patterns = MethodPatterns::parse(value.value_or(""));
  if (!patterns) return Status::error(said + ": " + patterns.message());
  const std::string text = patterns->text();
  to.bare |= text.empty();
  if (!text.empty()) to.text += (to.text.empty() ? "" : "|") + text;
  if (to.bare && !to.text.empty() && to.text.front() != '!') {
    return Status::error(said + " is given without patterns, which means user code, and with some; decide for one");
  }
  return Status::ok();
}

// The value in its stored form, if it is valid.
Result<std::string> Arguments::checked(const Argument& argument, std::optional<std::string_view> value,
                                       const std::string& said) const {
  const std::string text(value.value_or(argument.if_bare != nullptr ? argument.if_bare : ""));
  const std::string note = argument.note;
  switch (argument.kind) {
    case ArgumentKind::kFlag:
      if (!text.empty())
        return Status::error(said + " has no value; leave out =" + text + (note.empty() ? "" : "; " + note));
      break;
    case ArgumentKind::kChoice:
      if (!is_among(argument.words, text))
        return Status::error(said + "=" + text + " is unknown; use " + in_words(argument.words));
      break;
    case ArgumentKind::kNumber: {
      const std::optional<uint64_t> number = whole_number(text);
      if (!number || *number < argument.least || *number > argument.most)
        return Status::error(said + "=" + text + ": " + note + ", from " + std::to_string(argument.least) + " to " +
                             std::to_string(argument.most));
      break;
    }
    case ArgumentKind::kFile:
      if (text.empty()) return Status::error(said + "= names no file");
      break;
    case ArgumentKind::kNames:
      if (const size_t at = text.find_first_of("\"'; \t\r\n"); at != std::string::npos)
        return Status::error(said + "=" + text + ": names have no '" + text.substr(at, 1) + "' in them");
      break;
    case ArgumentKind::kPatterns:
    case ArgumentKind::kText:
      break;
  }
  return text;
}

Status Arguments::set(size_t row, std::optional<std::string_view> value, const std::string& said,
                      const std::string& typed) {
  Value& to = values_[row];
  const bool again = std::exchange(to.given, true);
  if (!again) to.typed = typed;
  if (table_[row].kind == ArgumentKind::kPatterns) return add_patterns(to, value, said);
  Result<std::string> text = checked(table_[row], value, said);
  if (!text) return text.status();
  if (table_[row].kind == ArgumentKind::kNames) {
    std::ranges::replace(*text, ',', '|');
    to.text += (to.text.empty() ? "" : "|") + *text;
    return Status::ok();
  }
  if (again && *text != to.text) return Status::error(to.typed + " and " + typed + " cannot both be; leave one out");
  to.text = std::move(*text);
  return Status::ok();
}

std::string Arguments::text() const {
  std::string text;
  for (size_t row = 0; row < table_.size(); ++row) {
    if (!values_[row].given) continue;
    text += (text.empty() ? "" : ",") + std::string(table_[row].name);
    if (!values_[row].text.empty()) text += "=" + values_[row].text;
  }
  return text;
}

}  // namespace oriel::modules
