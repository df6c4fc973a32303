#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "lines/line_totals.h"
#include "pdb/find.h"
#include "profile/work/category.h"
#include "profile/work/exception_costs.h"
#include "report/aborts.h"
#include "report/words/function_name.h"
#include "report/words/json.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::ExceptionType;
using profile::Profile;

namespace {

constexpr size_t kExceptionTypes = 30;
constexpr size_t kCatchers = 5;
constexpr size_t kThrowSites = 5;

// Most first.
std::vector<profile::CaughtIn> catchers(const std::string& type, const Profile& profile) {
  std::vector<profile::CaughtIn> result;
  for (const profile::CaughtIn& one : profile.caught_in)
    if (one.type == type) result.push_back(one);
  std::ranges::stable_sort(result, std::greater<>(), &profile::CaughtIn::caught);
  return result;
}

std::vector<std::string> messages(const std::string& type, const Profile& profile) {
  std::vector<std::string> texts;
  for (const profile::ExceptionMessage& message : profile.exception_messages)
    if (message.type == type && texts.size() < profile::ExceptionMessage::kMost) texts.push_back(message.text);
  return texts;
}

// How many exceptions a share of the stacks stands for, of which the log has some only: "about 120".
std::string count_of_share(uint64_t stacks, uint64_t all_stacks, uint64_t thrown) {
  if (all_stacks >= thrown) return count(stacks);
  const double share = static_cast<double>(stacks) / static_cast<double>(all_stacks);
  return "about " + count(static_cast<uint64_t>(std::llround(share * static_cast<double>(thrown))));
}

// Why that many; "" if all have a stack.
std::string stacks_sentence(const Profile& profile) {
  uint64_t stacks = 0, thrown = 0;
  for (const profile::ThrownAt& at : profile.thrown_at) stacks += at.thrown;
  for (const ExceptionType& entry : profile.exceptions) thrown += entry.thrown;
  if (stacks == 0 || stacks >= thrown) return "";
  return fmt::format("The log has a stack for {} of {} exceptions; where all were thrown is estimated from these.",
                     count(stacks), count(thrown));
}

// The table's figures: thrown, caught, and CPU time if there are samples.
class Figures {
 public:
  explicit Figures(const Profile& profile) : profile_(profile) {
    if (profile.total_periods() == 0 || !filter_sentence(profile).empty()) return;
    costs_ = profile::exception_costs(profile);
    in_columns_ = costs_->periods > 0;
  }

  std::vector<Table::Column> columns() const {
    std::vector<Table::Column> columns = {{"thrown"}, {"caught"}};
    if (in_columns_) columns.insert(columns.end(), {{"time"}, {"each"}});
    return columns;
  }
  std::vector<std::string> cells(std::string thrown, std::string caught) const {
    std::vector<std::string> cells = {std::move(thrown), std::move(caught)};
    if (in_columns_) cells.resize(4);
    return cells;
  }
  std::vector<std::string> of_type(size_t type) const {
    const ExceptionType& entry = profile_.exceptions[type];
    std::vector<std::string> row = cells(count(entry.thrown), count(entry.caught));
    if (!in_columns_) return row;
    row[2] = time_cell(costs_->by_type[type], profile_);
    if (tells_average(costs_->by_type[type])) row[3] = average(costs_->by_type[type], entry.thrown);
    return row;
  }
  // A sentence about all types; "" if there are no samples.
  std::string sentence() const {
    if (!costs_ || costs_->periods == 0) return "";
    uint64_t thrown = 0;
    for (const ExceptionType& entry : profile_.exceptions) thrown += entry.thrown;
    std::string text = fmt::format("Throwing took {}, {} of the program's samples", time_of(costs_->periods, profile_),
                                   percent(costs_->periods, profile::program_periods(profile_)));
    if (tells_average(costs_->periods)) text += fmt::format(": {} an exception", average(costs_->periods, thrown));
    return text + ".";
  }
  Json json(size_t type) const { return costs_ ? Json(costs_->by_type[type]) : Json(); }
  Json json() const { return costs_ ? Json(costs_->periods) : Json(); }

 private:
  // An average of fewer samples is not significant.
  static bool tells_average(uint64_t periods) { return periods >= 10; }
  std::string average(uint64_t periods, uint64_t thrown) const {
    const double ns = static_cast<double>(periods) * 1e9 / std::max<double>(1, profile_.sampling_hz);
    return duration(static_cast<int64_t>(ns / static_cast<double>(std::max<uint64_t>(1, thrown))));
  }

  const Profile& profile_;
  std::optional<profile::ExceptionCosts> costs_;
  bool in_columns_ = false;
};

void add_sites(const ExceptionType& entry, const Figures& figures, const Profile& profile, lines::Lines& lines,
               Table& table) {
  const std::vector<lines::ThrowSite> sites = lines::throw_sites(profile, entry.type, lines);
  uint64_t stacks = 0;
  for (const lines::ThrowSite& site : sites) stacks += site.thrown;
  for (size_t i = 0; i < std::min(kThrowSites, sites.size()); ++i) {
    const profile::Function& function = profile.functions[sites[i].function];
    const std::string line = clean(lines.short_text(sites[i].line));
    const std::string thrown = count_of_share(sites[i].thrown, stacks, entry.thrown);
    table.add(figures.cells(thrown, ""), [&function, line](size_t width) {
      constexpr std::string_view kBy = "  by ";
      return std::string(kBy) + fit_at_line(function, line, width - kBy.size());
    });
  }
  if (sites.size() > kThrowSites)
    table.add(figures.cells("", ""), [more = sites.size() - kThrowSites](size_t) {
      return "  and by " + counted(more, "more line", "more lines");
    });
}

void add_messages(const ExceptionType& entry, const Figures& figures, const Profile& profile, Table& table) {
  for (std::string& text : messages(entry.type, profile)) {
    table.add(figures.cells("", ""), [text = std::move(text)](size_t width) {
      constexpr std::string_view kIndent = "  ";
      return std::string(kIndent) + quoted(text, width - kIndent.size());
    });
  }
}

void add_rows(size_t type, const Figures& figures, const Profile& profile, lines::Lines& lines, Table& table) {
  const ExceptionType& entry = profile.exceptions[type];
  table.add(figures.of_type(type), [&entry](size_t width) { return fit_name(entry.type, width); });
  add_messages(entry, figures, profile, table);
  add_sites(entry, figures, profile, lines, table);
  const std::vector<profile::CaughtIn> methods = catchers(entry.type, profile);
  for (size_t i = 0; i < std::min(kCatchers, methods.size()); ++i) {
    table.add(figures.cells("", count(methods[i].caught)), [method = methods[i].method](size_t width) {
      constexpr std::string_view kIn = "  in ";
      return std::string(kIn) + fit_name(method, width - kIn.size());
    });
  }
  if (methods.size() > kCatchers)
    table.add(figures.cells("", ""), [more = methods.size() - kCatchers](size_t) {
      return "  and in " + counted(more, "more method", "more methods");
    });
}

// Without logged stacks, the throwing methods are not known.
const char* title_of(const Profile& profile) {
  return !profile.thrown_at.empty() ? "type, thrown by, caught in" : "type, caught in";
}

void write_exceptions(const Profile& profile, const Options& options, std::ostream& out) {
  // Exceptions are added up by type, without their times and threads.
  write_title("Exceptions", profile, options, out, profile::Unit::kPeriods, {false, false, false});
  if (const std::string note = not_recorded(profile, "exceptions"); !note.empty())
    return write_note(note, options, out);
  write_aborts(profile, options, out);
  if (profile.exceptions.empty()) return write_note("No exceptions in this log.", options, out);
  const size_t shown = std::min(rows(options, kExceptionTypes), profile.exceptions.size());
  const Figures figures(profile);
  Table table(figures.columns(), title_of(profile));
  lines::Lines lines(profile, pdb::symbol_folders());
  for (size_t i = 0; i < shown; ++i) add_rows(i, figures, profile, lines, table);
  table.write(out, options.width, 0, Style(options.color));
  if (shown < profile.exceptions.size())
    write_note(fmt::format("And {}.", counted(profile.exceptions.size() - shown, "more type", "more types")), options,
               out);
  for (const std::string& sentence : {stacks_sentence(profile), figures.sentence()})
    if (!sentence.empty()) write_note(sentence, options, out);
}

Json sites_json(const ExceptionType& entry, const Profile& profile, lines::Lines& lines) {
  Json json = Json::array();
  for (const lines::ThrowSite& site : lines::throw_sites(profile, entry.type, lines)) {
    Json row = {{"method", profile.functions[site.function].name}, {"stacks", site.thrown}};
    if (site.line.file != 0) {
      row["file"] = lines.file(site.line.file).path;
      row["line"] = site.line.line;
    }
    json.push_back(std::move(row));
  }
  return json;
}

void exceptions_json(const Profile& profile, const Options&, Json& json) {
  if (const std::string note = not_recorded(profile, "exceptions"); !note.empty()) {
    json["note"] = note;
    return;
  }
  json["aborts"] = aborts_json(profile);
  const Figures figures(profile);
  json["periods"] = figures.json();
  json["types"] = Json::array();
  lines::Lines lines(profile, pdb::symbol_folders());
  for (size_t i = 0; i < profile.exceptions.size(); ++i) {
    const ExceptionType& entry = profile.exceptions[i];
    Json type = {{"type", entry.type},         {"thrown", entry.thrown},    {"caught", entry.caught},
                 {"periods", figures.json(i)}, {"messages", Json::array()}, {"caught_in", Json::array()}};
    for (const std::string& text : messages(entry.type, profile)) type["messages"].push_back(text);
    for (const profile::CaughtIn& one : catchers(entry.type, profile))
      type["caught_in"].push_back({{"method", one.method}, {"count", one.caught}});
    if (Json sites = sites_json(entry, profile, lines); !sites.empty()) type["thrown_by"] = std::move(sites);
    json["types"].push_back(std::move(type));
  }
}

}  // namespace

extern const Report kExceptionsReport = {
    .name = "exceptions",
    .help = "exceptions by type: messages, throw and catch sites, cost; the fatal one",
    .text = write_exceptions,
    .json = exceptions_json,
};

}  // namespace oriel::report
