#include "modules/options.h"

#include <algorithm>
#include <utility>

#include "base/text/whole_number.h"
#include "base/text/words.h"

namespace oriel::modules {
namespace {

template <typename Field>
Field& field_of(const Option& row, GivenOptions& options) {
  return *static_cast<Field*>(row.value.field(options));
}

// The number of a word among those that a choice has.
std::optional<uint8_t> number_of(std::string_view words, std::string_view word) {
  for (uint8_t number = 0; !words.empty(); ++number) {
    if (cut(words, '|') == word) return number;
  }
  return std::nullopt;
}

std::string word_of(std::string_view words, uint8_t number) {
  for (; number > 0; --number) cut(words, '|');
  return std::string(cut(words, '|'));
}

// "process, real or none" of "process|real|none".
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

// A value as a module's text has it; "" where its name alone says it.
std::string text_in(const Option& row, GivenOptions& options) {
  switch (row.value.kind) {
    case OptionKind::kChoice:
      return word_of(row.words, field_of<uint8_t>(row, options));
    case OptionKind::kNumber:
      return std::to_string(field_of<uint32_t>(row, options));
    case OptionKind::kPatterns:
      return field_of<MethodPatterns>(row, options).text();
    case OptionKind::kNames: {
      std::string names = field_of<std::string>(row, options);
      std::ranges::replace(names, ',', '|');
      return names;
    }
    case OptionKind::kText:
    case OptionKind::kFile:
      return field_of<std::string>(row, options);
    case OptionKind::kNone:
    case OptionKind::kFlag:
      break;
  }
  return "";
}

// As text_of has it; "" if it was not given.
std::string item_of(const OptionTable& table, const Option& row, GivenOptions& options) {
  if (!options.given[table.index_of(row)]) return "";
  const std::string value = text_in(row, options);
  return value.empty() ? row.name : std::string(row.name) + "=" + value;
}

// Puts a value into its field, if there can be such a one. Patterns and names are put elsewhere.
Status put(const Option& row, const std::string& text, const std::string& said, GivenOptions& options) {
  const std::string note = row.note;
  switch (row.value.kind) {
    case OptionKind::kFlag:
      if (!text.empty())
        return Status::error(said + " takes no value; leave out =" + text + (note.empty() ? "" : "; " + note));
      field_of<bool>(row, options) = true;
      break;
    case OptionKind::kChoice: {
      const std::optional<uint8_t> number = number_of(row.words, text);
      if (!number) return Status::error(said + "=" + text + " is unknown; use " + in_words(row.words));
      field_of<uint8_t>(row, options) = *number;
      break;
    }
    case OptionKind::kNumber: {
      const std::optional<uint64_t> number = whole_number(text);
      if (!number || *number < row.least || *number > row.most)
        return Status::error(said + "=" + text + ": " + note + ", from " + std::to_string(row.least) + " to " +
                             std::to_string(row.most));
      field_of<uint32_t>(row, options) = static_cast<uint32_t>(*number);
      break;
    }
    case OptionKind::kFile:
      if (text.empty()) return Status::error(said + "= names no file");
      [[fallthrough]];
    case OptionKind::kText:
      field_of<std::string>(row, options) = text;
      break;
    case OptionKind::kNone:
    case OptionKind::kPatterns:
    case OptionKind::kNames:
      break;
  }
  return Status::ok();
}

void copy(const Option& row, GivenOptions& from, GivenOptions& to) {
  switch (row.value.kind) {
    case OptionKind::kFlag:
    case OptionKind::kChoice:
      field_of<uint8_t>(row, to) = field_of<uint8_t>(row, from);
      break;
    case OptionKind::kNumber:
      field_of<uint32_t>(row, to) = field_of<uint32_t>(row, from);
      break;
    case OptionKind::kNames:
    case OptionKind::kText:
    case OptionKind::kFile:
      field_of<std::string>(row, to) = field_of<std::string>(row, from);
      break;
    case OptionKind::kNone:
    case OptionKind::kPatterns:
      break;
  }
}

Status add_names(const Option& row, std::string names, bool again, const std::string& said, GivenOptions& options) {
  if (const size_t at = names.find_first_of("\"'; \t\r\n"); at != std::string::npos)
    return Status::error(said + "=" + names + ": names have no '" + names.substr(at, 1) + "' in them");
  std::ranges::replace(names, '|', ',');
  std::string& all = field_of<std::string>(row, options);
  all = again && !all.empty() ? all + "," + names : names;
  return Status::ok();
}

// The items of a module's text: a file's name has all that follows.
std::vector<std::string_view> items_of(const OptionTable& table, std::string_view text) {
  std::vector<std::string_view> items;
  while (!text.empty()) {
    const std::string_view all = text, item = cut(text, ',');
    if (item.empty()) continue;
    const Option* const row = table.find(item.substr(0, item.find('=')));
    const bool is_file = row && row->value.kind == OptionKind::kFile;
    items.push_back(is_file ? all : item);
    if (is_file) break;
  }
  return items;
}

}  // namespace

const Option* OptionTable::find(std::string_view name) const {
  const auto found = std::ranges::find_if(rows, [&](const Option& row) { return !name.empty() && row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

const Option* OptionTable::value_of(const Option& option) const {
  if (*option.takes != '\0') return find(option.takes);
  return *option.name != '\0' ? &option : nullptr;
}

const Option& OptionTable::file() const {
  return *std::ranges::find_if(rows, [](const Option& row) { return row.value.kind == OptionKind::kFile; });
}

std::string value_text(const OptionTable& table, const Option& row, GivenOptions& options) {
  return options.given[table.index_of(row)] ? text_in(row, options) : "";
}

std::string text_of(const OptionTable& table, GivenOptions& options, const std::string* file) {
  std::string text;
  for (const Option& row : table.rows) {
    const bool is_other_file = file != nullptr && row.value.kind == OptionKind::kFile;
    const std::string item = is_other_file ? std::string(row.name) + "=" + *file : item_of(table, row, options);
    if (!item.empty()) text += (text.empty() ? "" : ",") + item;
  }
  return text;
}

std::string changed_text(const OptionTable& table, std::string_view text, std::string_view set,
                         std::string_view dropped) {
  const std::vector<std::string_view> given = items_of(table, set);
  std::vector<std::string> names = split(dropped, ',');
  for (const std::string_view item : given) names.emplace_back(item.substr(0, item.find('=')));
  std::vector<std::string_view> items = items_of(table, text);
  std::erase_if(items, [&](std::string_view item) {
    return std::ranges::find(names, item.substr(0, item.find('='))) != names.end();
  });
  items.insert(items.end(), given.begin(), given.end());
  // A file's name comes last, as it would take what follows.
  const std::string file = std::string(table.file().name) + "=";
  std::stable_partition(items.begin(), items.end(), [&](std::string_view item) { return !item.starts_with(file); });
  return join(items, ",");
}

std::string keep_fixed(const OptionTable& table, GivenOptions& running, GivenOptions& wanted) {
  std::string differ;
  for (const Option& row : table.rows) {
    if (*row.name == '\0' || row.change == Change::kWhileRunning) continue;
    const size_t index = table.index_of(row);
    if (wanted.given[index]) {
      if (text_in(row, wanted) != text_in(row, running) ||
          (row.value.kind == OptionKind::kFlag && !running.given[index]))
        differ += (differ.empty() ? "" : ", ") + std::string(row.name);
      continue;
    }
    wanted.given[index] = running.given[index];
    copy(row, running, wanted);
  }
  return differ;
}

std::string OptionReader::known() const {
  std::vector<std::string_view> names;
  for (const Option& row : table_.rows) {
    if (*row.name != '\0') names.push_back(row.name);
  }
  return join(names, ", ");
}

std::string OptionReader::name(const char* name) const {
  const Option* const row = table_.find(name);
  for (const Option& option : table_.rows) {
    const bool is_its = *option.option != '\0' && *option.sets == '\0' && table_.value_of(option) == row;
    if (of_command_line_ && is_its) return option.option;
  }
  return name;
}

std::string OptionReader::said(const char* name) const {
  const std::string called = this->name(name);
  return called.starts_with('-') ? called : std::string(table_.module) + ": " + called;
}

Status OptionReader::read(std::string_view text) {
  for (std::string_view item : items_of(table_, text)) {
    const Option* row = table_.find(item.substr(0, item.find('=')));
    const bool has_value = item.find('=') != std::string_view::npos;
    const std::string name(cut(item, '='));
    if (!row) return Status::error(std::string(table_.module) + ": unknown argument '" + name + "'; known: " + known());
    const std::optional<std::string_view> value = has_value ? std::optional(item) : std::nullopt;
    const std::string said = std::string(table_.module) + ": " + name;
    if (Status status = set(*row, value, said, typed_as(said, value)); !status) return status;
  }
  return Status::ok();
}

Status OptionReader::give(const Option& option, std::optional<std::string_view> value) {
  const std::string typed = typed_as(option.option, value);
  for (std::string_view sets = option.sets; !sets.empty();) {
    std::string_view item = cut(sets, ',');
    const Option& row = *table_.find(cut(item, '='));
    if (Status status = set(row, item, option.option, typed); !status) return status;
  }
  const Option* const row = table_.value_of(option);
  if (!row) {
    return value ? Status::error(std::string(option.option) + " takes no value; leave out =" + std::string(*value))
                 : Status::ok();
  }
  // What it sets is all that it says then.
  if (!value && *option.sets != '\0') return Status::ok();
  return set(*row, value, option.option, typed);
}

Status OptionReader::add_patterns(const Option& row, std::optional<std::string_view> value, const std::string& said) {
  Result<MethodPatterns> patterns = MethodPatterns::parse(value.value_or(""));
  if (!patterns) return Status::error(said + ": " + patterns.message());
  bool& bare = rows_[table_.index_of(row)].bare;
  bare |= patterns->empty();
  MethodPatterns& all = field_of<MethodPatterns>(row, options_);
  all.add(std::move(*patterns));
  if (bare && !all.includes_user_code()) {
    return Status::error(said + " is given both without patterns, which means user code, and with some; choose one");
  }
  return Status::ok();
}

Status OptionReader::set(const Option& row, std::optional<std::string_view> value, const std::string& said,
                         const std::string& typed) {
  const size_t index = table_.index_of(row);
  const bool again = options_.given[index];
  options_.given.set(index);
  std::string& first = rows_[index].typed;
  if (!again) first = typed;
  if (row.value.kind == OptionKind::kPatterns) return add_patterns(row, value, said);
  const std::string text(value.value_or(row.if_bare != nullptr ? row.if_bare : ""));
  if (row.value.kind == OptionKind::kNames) return add_names(row, text, again, said, options_);
  const std::string before = text_in(row, options_);
  if (Status status = put(row, text, said, options_); !status) return status;
  if (again && text_in(row, options_) != before)
    return Status::error(first + " and " + typed + " cannot be combined; leave one out");
  return Status::ok();
}

}  // namespace oriel::modules
