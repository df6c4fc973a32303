#include "report/diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "lines/line_totals.h"
#include "pdb/find.h"
#include "profile/recorded.h"
#include "profile/work/category.h"
#include "report/shares.h"
#include "report/words/function_name.h"
#include "report/words/json.h"
#include "report/words/json_text.h"
#include "report/words/notes.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Difference;
using profile::Metric;

namespace {

struct DiffOptions : Options {
  bool all = false;  // what is no more than noise too
};

constexpr size_t kDiffRows = 15;
constexpr const char *kRealTime = "real time", *kWeights = "the weights of a file";

// What a run's samples are of; "" if it has none.
std::string time_of_samples(const profile::Profile& run) {
  if (!profile::is_sampled(run)) return "";
  if (run.sampling_mode == "process") return "CPU time";
  return run.sampling_mode == "real" ? kRealTime : kWeights;
}

using Words = std::string (*)(double);

std::string as_time(double ns) { return duration(std::llround(ns)); }
std::string as_bytes(double value) { return bytes(static_cast<uint64_t>(std::llround(value))); }
std::string as_count(double value) { return count(static_cast<uint64_t>(std::llround(value))); }

// Rows of Metric::kWhole, by profile::kWholeNames.
struct WholeWords {
  const char* key;
  const char* text;
  Words words;
  bool may_be_none = false;  // of a run in which it was recorded
};
constexpr WholeWords kWhole[] = {
    {"samples", "sampled time", as_time}, {"cpu", "CPU time", as_time},
    {"wall", "wall time", as_time},       {"pauses", "GC pauses", as_time, true},
    {"memory", "peak memory", as_bytes},  {"collections", "collections", as_count, true},
};

struct Section {
  Metric metric;
  const char* key;    // key in JSON
  const char* title;  // title of the last column
  const char* what;   // noun for notes
  Words words;
};
constexpr Section kSections[] = {
    {Metric::kCategory, "categories", "spent in", "Categories", as_time},
    {Metric::kOwn, "own", "your code", "Your methods", as_time},
    {Metric::kLine, "lines", "your code by line", "Lines of your methods", as_time},
    {Metric::kSelf, "self", "by self", "Methods by self", as_time},
    {Metric::kType, "types", "allocated", "Types", as_bytes},
};

std::string first_of(const std::string& name) { return name.substr(0, name.find('\t')); }
std::string second_of(const std::string& name) { return first_of(name.substr(name.find('\t') + 1)); }
bool is_managed(const std::string& name) { return !name.ends_with("\tnative"); }

std::string category_name(const std::string& name) {
  profile::Share share;
  share.category = static_cast<profile::Category>(std::atoi(name.c_str()));
  share.name = second_of(name);
  return share_name(share);
}

std::string signed_text(double value, Words words) { return (value < 0 ? "-" : "+") + words(std::abs(value)); }

// "+12.3 %", "new", "gone"
std::string by_how_much(const Difference& row) {
  if (row.before == 0) return "new";
  if (row.after == 0) return "gone";
  const double percent = 100 * row.change() / row.before;
  return std::abs(percent) < 1000 ? fmt::format("{:+.1f} %", percent) : fmt::format("{:+.0f} %", percent);
}

// `not_recorded`: on one side, so that there is nothing to compare.
void add_row(const Difference& row, Words words, const Table::Fit& name, Table& table, bool not_recorded = false) {
  const auto figure = [&](double value) { return value == 0 ? std::string("–") : words(value); };
  if (not_recorded) return table.add({figure(row.before), figure(row.after), "", "", ""}, name, -1.0);
  table.add({figure(row.before), figure(row.after), row.change() == 0 ? "" : signed_text(row.change(), words),
             row.change() == 0 ? "" : by_how_much(row), row.noise == 0 ? "" : "±" + words(row.noise)},
            name, row.significant ? 1.0 : -1.0);
}

Table new_table(const char* last) { return Table({{"before"}, {"after"}, {"change"}, {""}, {"noise"}}, last); }

void write_whole(const DiffSide& before, const DiffSide& after, const Options& options, std::ostream& out) {
  const std::vector<Difference> rows = profile::differences(before.runs, after.runs, Metric::kWhole);
  Table table = new_table("in total");
  for (const WholeWords& words : kWhole) {
    const auto row = std::ranges::find(rows, words.key, &Difference::name);
    if (row == rows.end() || (row->before == 0 && row->after == 0)) continue;
    const char* text = words.text;
    const bool not_recorded = !words.may_be_none && (row->before == 0 || row->after == 0);
    add_row(
        *row, words.words, [text](size_t width) { return cut_end(text, width); }, table, not_recorded);
  }
  table.write(out, options.width, 0, Style(options.color));
}

struct Sides {
  const DiffSide& before;
  const DiffSide& after;
};

std::string line_in(const DiffSide& side, const std::string& name) {
  const auto found = side.lines.find(name);
  return found == side.lines.end() ? "" : found->second;
}

// "Cart.cs:42" in the new version; also the old line if it moved.
std::string line_of(const Sides& sides, const std::string& name) {
  const std::string was = line_in(sides.before, name), is = line_in(sides.after, name);
  if (was.empty() || is.empty() || was == is) return is.empty() ? was : is;
  return fmt::format("{} (was {})", is, was.substr(was.rfind(':') + 1));
}

Table::Fit name_of(const Section& section, const Sides& sides, const std::string& name) {
  if (section.metric == Metric::kCategory) return [name](size_t width) { return cut_end(category_name(name), width); };
  return [name, line = section.metric == Metric::kLine ? line_of(sides, name) : ""](size_t width) {
    return fit_at_line({.name = first_of(name), .raw_name = "", .module = second_of(name), .managed = is_managed(name)},
                       line, width);
  };
}

void write_section(const Section& section, const Sides& sides, const std::vector<Difference>& all,
                   const DiffOptions& options, std::ostream& out) {
  const auto significant = static_cast<size_t>(std::ranges::count(all, true, &Difference::significant));
  const size_t worth = options.all ? all.size() : significant;
  const size_t shown = std::min(worth, rows(options, kDiffRows));
  out << '\n';
  if (shown > 0) {
    Table table = new_table(section.title);
    for (size_t i = 0; i < shown; ++i) add_row(all[i], section.words, name_of(section, sides, all[i].name), table);
    table.write(out, options.width, 0, Style(options.color));
  }
  std::vector<std::string> notes;
  if (significant > shown)
    notes.push_back(fmt::format("{} more significant changes (--limit)", count(significant - shown)));
  if (all.size() > significant && !options.all)
    notes.push_back(fmt::format("no significant change in {} {}{}", significant == 0 ? "any of the" : "the other",
                                count(all.size() - significant), significant == 0 ? " (--all lists them)" : ""));
  if (!notes.empty()) write_note(fmt::format("{}: {}.", section.what, fmt::join(notes, "; ")), options, out);
}

std::string files_of(const DiffSide& side) {
  constexpr size_t kShown = 3;
  std::vector<std::string> names;
  for (size_t i = 0; i < std::min(kShown, side.files.size()); ++i) names.push_back(clean(side.files[i]));
  if (side.files.size() > kShown) names.push_back(counted(side.files.size() - kShown, "more log", "more logs"));
  const std::string runs = side.runs.size() > 1 ? counted(side.runs.size(), "run", "runs") + ": " : "";
  return fmt::format("{}{}", runs, fmt::join(names, ", "));
}

bool has(const DiffSide& side, bool profile::RunAmounts::*what) {
  return std::ranges::all_of(side.runs, [what](const profile::RunAmounts& run) { return run.*what; });
}

bool applies(const Section& section, const DiffSide& before, const DiffSide& after) {
  const auto needed =
      section.metric == Metric::kType ? &profile::RunAmounts::allocations : &profile::RunAmounts::sampled;
  return has(before, needed) && has(after, needed);
}

std::string noise_sentence(const DiffSide& before, const DiffSide& after) {
  const bool same = before.times == after.times && before.times.size() == 1;
  const std::string sampling = fmt::format(
      "Times are sampled {} of one run, not scaled. Noise: the largest change that chance alone explains (99.7 % "
      "confidence), ",
      same && *before.times.begin() != kWeights ? *before.times.begin() : "CPU or real time");
  if (before.runs.size() > 1 || after.runs.size() > 1)
    return sampling + "from sampling and from the variance between runs of one side.";
  return sampling +
         "from sampling only: one run per side gives no between-run variance. To compare several: oriel report diff "
         "BEFORE… vs AFTER…";
}

// A warning if the two sides have no program in common; "" otherwise, or if a log does not say.
std::string programs_sentence(const DiffSide& before, const DiffSide& after) {
  const auto is_after = [&](const std::string& program) { return after.programs.contains(program); };
  if (before.programs.empty() || after.programs.empty() || std::ranges::any_of(before.programs, is_after)) return "";
  return fmt::format("These are different programs, {} and {}: all they have in common is .NET.",
                     clean(*before.programs.begin()), clean(*after.programs.begin()));
}

// "CPU time", or where a side has both, "CPU time and real time".
std::string times_of(const DiffSide& side) { return fmt::format("{}", fmt::join(side.times, " and ")); }

// A warning if the sides' samples are not of the same time; "" otherwise.
std::string times_sentence(const DiffSide& before, const DiffSide& after) {
  if (before.times.empty() || after.times.empty()) return "";
  if (before.times == after.times && before.times.size() == 1) return "";
  const bool waits = before.times.contains(kRealTime) || after.times.contains(kRealTime);
  return fmt::format(
      "The samples differ in kind, {} before and {} after{}. So changes of sampled time, in total and by row, say "
      "nothing of the program; to compare, record both sides in the same way.",
      times_of(before), times_of(after), waits ? ": only real time goes on while a thread waits" : "");
}

// What is to be known before the figures are read.
std::vector<std::string> warnings_of(const DiffSide& before, const DiffSide& after) {
  std::vector<std::string> warnings = {programs_sentence(before, after), times_sentence(before, after)};
  std::erase(warnings, "");
  return warnings;
}

void write_text(const DiffSide& before, const DiffSide& after, const DiffOptions& options, std::ostream& out) {
  const Style style(options.color);
  out << style.dim("Before  ") << cut_middle(files_of(before), options.width - 8) << '\n';
  out << style.dim("After   ") << cut_middle(files_of(after), options.width - 8) << '\n';
  for (const std::string& warning : warnings_of(before, after)) out << style.warning(wrap(warning, options.width, ""));
  out << '\n';
  write_whole(before, after, options, out);
  for (const Section& section : kSections) {
    if (!applies(section, before, after)) continue;
    const std::vector<Difference> all = profile::differences(before.runs, after.runs, section.metric);
    if (!all.empty()) write_section(section, {before, after}, all, options, out);
  }
  out << '\n';
  write_note(noise_sentence(before, after), options, out);
}

Json row_json(const Section& section, const Sides& sides, const Difference& row) {
  Json json = {{"before", row.before},
               {"after", row.after},
               {"change", row.change()},
               {"noise", row.noise},
               {"significant", row.significant}};
  if (section.metric == Metric::kCategory) {
    json["name"] = category_name(row.name);
  } else {
    json["name"] = first_of(row.name);
    json["module"] = second_of(row.name);
  }
  if (section.metric == Metric::kLine) {
    json["line_before"] = line_in(sides.before, row.name);
    json["line_after"] = line_in(sides.after, row.name);
  }
  return json;
}

Json side_json(const DiffSide& side) { return {{"runs", side.runs.size()}, {"files", side.files}}; }

Json whole_json(const DiffSide& before, const DiffSide& after) {
  Json json = Json::object();
  for (const Difference& row : profile::differences(before.runs, after.runs, Metric::kWhole))
    json[row.name] = {{"before", row.before},
                      {"after", row.after},
                      {"change", row.change()},
                      {"noise", row.noise},
                      {"significant", row.significant}};
  return json;
}

Json to_json(const DiffSide& before, const DiffSide& after) {
  Json json = {{"report", "diff"}, {"before", side_json(before)}, {"after", side_json(after)}};
  if (const auto warnings = warnings_of(before, after); !warnings.empty())
    json["note"] = fmt::format("{}", fmt::join(warnings, " "));
  json["whole"] = whole_json(before, after);
  for (const Section& section : kSections) {
    Json& list = json[section.key] = Json();
    if (!applies(section, before, after)) continue;
    list = Json::array();
    for (const Difference& row : profile::differences(before.runs, after.runs, section.metric))
      list.push_back(row_json(section, {before, after}, row));
  }
  return json;
}

}  // namespace

void add_run(const profile::Profile& run, const Options& options, DiffSide& side) {
  profile::RunAmounts& amounts = side.runs.emplace_back(profile::amounts(run));
  for (const profile::Process& process : run.processes)
    if (!process.name.empty()) side.programs.insert(process.name);
  if (std::string time = time_of_samples(run); !time.empty()) side.times.insert(std::move(time));
  if (!options.lines) return;
  lines::Lines lines(run, pdb::symbol_folders());
  std::vector<profile::LineAmount> rows;
  for (const lines::OwnLine& own : lines::own_lines(run, lines)) {
    rows.push_back({own.function, own.line.line - std::min(own.first, own.line.line), own.periods});
    side.lines[rows.back().name(run)] = clean(lines.short_text(own.line));
  }
  profile::add_lines(run, rows, amounts);
}

Status write_diff(const DiffSide& before, const DiffSide& after, const Options& wanted, std::ostream& out) {
  const std::unique_ptr<Options> own = own_options<DiffOptions>(wanted);
  auto& options = dynamic_cast<DiffOptions&>(*own);
  options.width = std::max(options.width, kLeastWidth);
  if (options.json)
    out << json_text(to_json(before, after), 2) << '\n';
  else
    write_text(before, after, options, out);
  out.flush();
  return out.good() ? Status::ok() : Status::error("the report could not be written: is the disk full?");
}

namespace {
constexpr Option kDiffOptions[] = {own_flag<Options, &DiffOptions::all>("--all", "also changes within noise")};
}  // namespace

extern const Report kDiffReport = {
    .name = "diff",
    .help = "two versions compared: what grew, shrank, appeared or disappeared, beyond noise",
    .options = kDiffOptions,
    .own = own_options<DiffOptions>,
    .compares = true,
};

}  // namespace oriel::report
