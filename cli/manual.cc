// oriel manual: prints the man page. Hidden in help, because installing Oriel installs the page.
#include "manual.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <string_view>
#include <utility>
#include <vector>

#include "base/files/input_file.h"
#include "base/text/words.h"
#include "base/version.h"
#include "commands.h"
#include "cover/cover_files.h"
#include "exit_codes.h"
#include "exports/export.h"
#include "profile/trees/weight.h"
#include "report/report.h"

namespace oriel::cli {
namespace {

// An option, a report or a format.
struct Entry {
  std::string name;  // by which `@about` names it
  std::string head;  // with names and values of the option, in man's format
  std::string help;
  std::vector<std::string> values = {};  // words for its value: HZ, or exact and sampled
  std::string group = {};
};

std::string bold(const std::string& text) { return "\\fB" + text + "\\fP"; }
std::string italic(const std::string& text) { return "\\fI" + text + "\\fP"; }

std::string escaped(std::string_view text) {
  constexpr std::string_view kDots = "…";
  std::string result;
  for (; !text.empty(); text.remove_prefix(1)) {
    if (text.starts_with(kDots)) {
      result += "...";
      text.remove_prefix(kDots.size() - 1);
      continue;
    }
    const char c = text.front();
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  return result;
}

bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// A value's name: what stands for something in italics, words to be typed in bold.
std::string shown_value(std::string_view type) {
  std::string result;
  for (size_t i = 0; i < type.size();) {
    size_t end = i;
    while (end < type.size() && is_letter(type[end])) ++end;
    if (end == i) {
      result += escaped(type.substr(i++, 1));
      continue;
    }
    const std::string word(type.substr(i, end - i));
    result += is_upper(word[0]) ? italic(word) : bold(word);
    i = end;
  }
  return result;
}

std::vector<std::string> words_in(std::string_view type) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : std::string(type) + " ") {
    if (is_letter(c))
      word += c;
    else if (!word.empty())
      words.push_back(std::exchange(word, {}));
  }
  return words;
}

// A word of help. Options are bold; so are words for the value that are explained here; what stands for the value is in
// italics.
std::string shown_word(const std::string& word, const Entry& entry, bool is_first) {
  const auto is_part_of_name = [](char c) { return is_letter(c) || c == '-'; };
  const size_t begin = word.find("--");
  if (begin != std::string::npos && begin <= 1) {
    size_t end = begin;
    while (end < word.size() && is_part_of_name(word[end])) ++end;
    return escaped(word.substr(0, begin)) + bold(escaped(word.substr(begin, end - begin))) + escaped(word.substr(end));
  }
  for (const std::string& value : entry.values) {
    if (!word.starts_with(value) || (word.size() > value.size() && is_letter(word[value.size()]))) continue;
    const std::string rest = escaped(word.substr(value.size()));
    if (is_upper(value[0])) return italic(value) + rest;
    if (is_first || rest == ":") return bold(value) + rest;
  }
  return escaped(word);
}

// Help as a sentence, with `code` in bold.
std::string sentence(const Entry& entry) {
  std::string text;
  bool is_code = false;
  for (std::string_view rest = entry.help; !rest.empty(); is_code = !is_code) {
    std::string_view part = cut(rest, '`');
    if (is_code) {
      text += bold(escaped(part));
      continue;
    }
    while (!part.empty()) {
      const bool ends_in_space = part.find(' ') != std::string_view::npos;
      const bool is_first = text.empty();
      text += shown_word(std::string(cut(part, ' ')), entry, is_first) + (ends_in_space ? " " : "");
    }
  }
  const bool is_control = text.starts_with('.') || text.starts_with('\'');
  return (is_control ? "\\&" : "") + text + (text.ends_with('.') ? "\n" : ".\n");
}

// Help of lists begins in lower case; but a name stays as it is.
std::string capitalized(std::string text, const std::string& name) {
  if (!text.empty() && !text.starts_with(name))
    text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

Entry entry_of(const CLI::Option& option) {
  Entry entry;
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  entry.name = names.back();
  const bool has_value = option.get_items_expected_max() > 0;
  const bool needs_value = option.get_items_expected_min() > 0;
  const std::string value = has_value ? shown_value(option.get_type_name()) : "";
  for (const std::string& name : names) {
    entry.head += (entry.head.empty() ? "" : ", ") + bold(escaped(name));
    if (has_value) entry.head += needs_value ? " " + value : "[=" + value + "]";
  }
  entry.help = option.get_description();
  entry.values = words_in(option.get_type_name());
  entry.group = option.get_group();
  return entry;
}

bool has_option(const CLI::App& app, const CLI::Option& option) {
  return !option.get_lnames().empty() && app.get_option_no_throw("--" + option.get_lnames().front()) != nullptr;
}

// "run", "cover diff"; nullptr if there is none.
const CLI::App* command_of(const CLI::App& app, const std::string& words) {
  const CLI::App* command = &app;
  for (const std::string& word : split(words, ' ')) {
    const auto found = command->get_subcommands([&](const CLI::App* sub) { return sub->get_name() == word; });
    if (found.empty()) return nullptr;
    command = found.front();
  }
  return command;
}

std::vector<Entry> reports() {
  std::vector<Entry> entries;
  for (const report::Report* report : report::all_reports()) {
    const std::string argument = report->argument ? " " + italic(report->argument) : "";
    entries.push_back({report->name, bold(report->name) + argument, capitalized(report->help, report->name)});
  }
  return entries;
}

std::vector<Entry> formats() {
  std::vector<Entry> entries;
  for (const exports::Export* format : exports::all_exports())
    entries.push_back({format->name, bold(format->name), capitalized(format->description, format->name)});
  return entries;
}

std::vector<Entry> weights() {
  std::vector<Entry> entries;
  for (const profile::WeightInfo& weight : profile::weights())
    entries.push_back({weight.name, bold(escaped(weight.name)), capitalized(weight.description, weight.name)});
  return entries;
}

std::vector<Entry> coverage_formats() {
  std::vector<Entry> entries;
  for (const CoverFormat& format : cover_formats())
    entries.push_back({format.name, fmt::format("{} ({})", bold(format.name), italic(format.file)),
                       capitalized(format.description, format.name)});
  return entries;
}

constexpr struct {
  const char* name;
  std::vector<Entry> (*entries)();
} kLists[] = {{"reports", reports}, {"formats", formats}, {"weights", weights}, {"coverage-formats", coverage_formats}};

// An instruction and what follows it up to its end.
struct Part {
  std::vector<Entry> entries;
  std::string parent = {};                   // of a subcommand: the command whose options it takes, too,
  std::vector<std::string> of_parent = {};   // and these
  bool has_groups = false;                   // of options
  std::map<std::string, std::string> about;  // by entry
};

std::optional<Part> options_of(const std::string& words, const CLI::App& app) {
  const CLI::App* const command = command_of(app, words);
  if (command == nullptr) return std::nullopt;
  Part part;
  const bool is_sub = command->get_parent() != &app;
  if (is_sub) part.parent = command->get_parent()->get_name();
  part.has_groups = !is_sub;
  for (const CLI::Option* option : command->get_options()) {
    if (!option->nonpositional() || option == command->get_help_ptr()) continue;
    Entry entry = entry_of(*option);
    if (is_sub && has_option(*command->get_parent(), *option))
      part.of_parent.push_back(bold(escaped(entry.name)));
    else
      part.entries.push_back(std::move(entry));
  }
  return part;
}

std::optional<Part> part_of(const std::string& instruction, const CLI::App& app) {
  if (instruction.starts_with("options ")) return options_of(instruction.substr(8), app);
  for (const auto& list : kLists)
    if (instruction == list.name) return Part{.entries = list.entries(), .about = {}};
  return std::nullopt;
}

std::string text_of(const Part& part) {
  std::string text;
  std::string group = part.entries.empty() ? "" : part.entries.front().group;
  for (const Entry& entry : part.entries) {
    if (part.has_groups && entry.group != group) text += ".SS " + escaped(entry.group) + "\n";
    group = entry.group;
    text += ".TP\n" + entry.head + "\n" + sentence(entry);
    if (const auto about = part.about.find(entry.name); about != part.about.end()) text += about->second;
  }
  if (!part.of_parent.empty())
    text += fmt::format(".PP\nIt {}takes these options of {}: {}.\n", part.entries.empty() ? "" : "also ",
                        bold("oriel " + part.parent), join(part.of_parent, ", "));
  return text;
}

// Options that have a group of their own in help follow the others there.
void sort_by_group(Part& part) {
  if (!part.has_groups || part.entries.empty()) return;
  const std::string first = part.entries.front().group;
  std::stable_partition(part.entries.begin(), part.entries.end(),
                        [&](const Entry& entry) { return entry.group == first; });
}

class Page {
 public:
  explicit Page(const CLI::App& app) : app_(app) {}

  Status add(const std::string& line) {
    ++number_;
    if (!line.starts_with('@')) {
      if (part_ && about_ == nullptr) return wrong(line, "belongs to no @about");
      (part_ ? *about_ : text_) += line + "\n";
      return Status::ok();
    }
    const std::string instruction = line.substr(1);
    if (instruction.starts_with("about ")) return begin_about(instruction.substr(6));
    if (instruction == "end") return end();
    if (part_) return wrong(line, "stands before an @end");
    part_ = part_of(instruction, app_);
    if (!part_) return wrong(line, "is no instruction, or names no command");
    sort_by_group(*part_);
    return Status::ok();
  }

  Result<std::string> finish() {
    if (part_) return wrong("the last part", "has no @end");
    return text_;
  }

 private:
  Status wrong(const std::string& what, const char* why) const {
    return Status::error(fmt::format("line {}: {} {}", number_, what, why));
  }

  Status begin_about(const std::string& name) {
    if (!part_) return wrong(name, "is in no part");
    for (const Entry& entry : part_->entries) {
      if (entry.name != name) continue;
      about_ = &part_->about[name];
      return Status::ok();
    }
    return wrong(name, "is not in this part");
  }

  Status end() {
    if (!part_) return wrong("@end", "ends nothing");
    text_ += text_of(*part_);
    part_.reset();
    about_ = nullptr;
    return Status::ok();
  }

  const CLI::App& app_;
  std::optional<Part> part_;
  std::string* about_ = nullptr;
  std::string text_;
  size_t number_ = 0;
};

}  // namespace

Result<std::string> manual_page(const std::string& source, const CLI::App& app) {
  Page page(app);
  std::istringstream lines(source);
  for (std::string line; std::getline(lines, line);) {
    constexpr std::string_view kVersion = "@ORIEL_VERSION@";
    if (const size_t at = line.find(kVersion); at != std::string::npos)
      line.replace(at, kVersion.size(), version_text());
    if (Status status = page.add(line); !status) return status;
  }
  return page.finish();
}

void add_manual(CLI::App& app, int& exit_code) {
  constexpr uint64_t kMost = 1 << 20;
  CLI::App* sub = app.add_subcommand("manual", "Print the man page, made from its source, docs/oriel.1.in");
  sub->group("");
  auto path = std::make_shared<std::string>();
  set_usage(*sub, "oriel manual FILE");
  sub->add_option("file", *path, "The source")->required()->type_name("FILE");
  sub->callback([path, &app, &exit_code] {
    const Result<std::string> source = read_input_text(*path, kMost);
    const Result<std::string> page = source ? manual_page(*source, app) : source;
    exit_code = page ? 0 : kFailed;
    if (page)
      fmt::print("{}", *page);
    else
      say(fmt::format("{}: {}", *path, page.message()));
  });
}

}  // namespace oriel::cli
