// Covered and uncovered source lines, as ranges or as annotated source.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>

#include "coverage/sources.h"
#include "lines/source.h"
#include "report/coverage/coverage_text.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {
namespace {

using coverage::Coverage;
using coverage::File;
using coverage::FileLine;

// Ranges extend over lines without code, so lines between two wanted ones split a range only if they have code.
template <typename Wanted>
std::string ranges(const File& file, Wanted wanted) {
  std::string text;
  for (size_t i = 0; i < file.lines.size();) {
    size_t end = i;
    while (end < file.lines.size() && wanted(file.lines[end])) ++end;
    if (end > i) {
      const uint32_t first = file.lines[i].number, last = file.lines[end - 1].number;
      text += (text.empty() ? "" : ", ") + (first == last ? std::to_string(first) : fmt::format("{}-{}", first, last));
    }
    i = std::max(end, i + 1);
  }
  return text;
}

// A mark besides the color: '!' for a line that did not run, '~' for one that ran partly, "" for others.
std::string mark(LineState state) { return state == LineState::kMissed ? "!" : state == LineState::kPartly ? "~" : ""; }

std::string with_blanks(std::string_view line) {
  std::string text;
  for (const char c : line) text += c == '\t' ? std::string(4, ' ') : std::string(1, c);
  return clean(text);
}

// Number of tests by line of a file.
std::map<uint32_t, uint64_t> tests_by_line(const Coverage& coverage, const File& file) {
  std::map<uint32_t, uint64_t> tests;
  const auto index = static_cast<uint32_t>(&file - coverage.files.data());
  for (const coverage::Test& test : coverage.tests) {
    auto line = std::ranges::lower_bound(test.lines, std::pair(index, 0u));
    for (; line != test.lines.end() && line->first == index; ++line) ++tests[line->second];
  }
  return tests;
}

// The table cells of a source line; `line` is nullptr if it has no code.
std::vector<std::string> cells_of(const Coverage& coverage, const FileLine* line, uint32_t number, uint64_t tests) {
  std::vector<std::string> cells(coverage.tests.empty() ? 3 : 4);
  if (line) {
    const coverage::ArmCounts ways = ways_of(coverage, line->branches);
    cells = {mark(state_of(coverage, *line)),
             coverage.counts   ? count(line->count)
             : line->count > 0 ? "yes"
                               : "no",
             ways.all == 0 ? "" : fmt::format("{}/{}", ways.taken, ways.all)};
    if (!coverage.tests.empty()) cells.insert(cells.begin() + 2, tests == 0 ? "" : count(tests));
  }
  cells.push_back(std::to_string(number));
  return cells;
}

std::vector<Table::Column> columns_for(const Coverage& coverage) {
  std::vector<Table::Column> columns = {{""}, {coverage.counts ? "count" : "ran"}, {"branches"}, {"line"}};
  if (!coverage.tests.empty()) columns.insert(columns.begin() + 2, {"tests"});
  return columns;
}

void write_lines(const Coverage& coverage, const File& file, uint32_t first, uint32_t last, const Options& options,
                 std::ostream& out) {
  const Style style(options.color);
  const std::map<uint32_t, uint64_t> tests = tests_by_line(coverage, file);
  const coverage::SourceText source = coverage::source_of(file);
  out << style.dim(cut_start(clean(lines::shown_path(file.path)), options.width)) << '\n';
  if (source.changed()) out << "This file has changed since it was compiled: the text may not be what ran.\n";
  Table table(columns_for(coverage), source.lines.empty() ? "its source is not on this machine" : "");
  const auto add = [&](uint32_t number, const FileLine* code) {
    const std::string text = number - 1 < source.lines.size() ? with_blanks(source.lines[number - 1]) : "";
    const auto known = tests.find(number);
    table.add(
        cells_of(coverage, code, number, known == tests.end() ? 0 : known->second),
        [text](size_t width) { return cut_end(text, width); }, code && code->count == 0 ? 1 : -1);
  };
  // Lines with text, then code lines beyond the end of the file: a #line directive can give numbers up to 16,707,565.
  uint32_t number = std::max(first, 1u);
  auto code = std::ranges::lower_bound(file.lines, number, {}, &FileLine::number);
  for (; number <= last && number <= source.lines.size(); ++number) {
    const bool has_code = code != file.lines.end() && code->number == number;
    add(number, has_code ? &*code : nullptr);
    if (has_code) ++code;
  }
  for (; code != file.lines.end() && code->number <= last; ++code) add(code->number, &*code);
  table.write(out, options.width, 0, style);
}

}  // namespace

LineState state_of(const Coverage& coverage, const FileLine& line) {
  if (line.count == 0) return LineState::kMissed;
  const coverage::ArmCounts ways = ways_of(coverage, line.branches);
  return line.partly || ways.taken < ways.all ? LineState::kPartly : LineState::kCovered;
}

void write_uncovered(const Coverage& coverage, const Options& options, std::ostream& out) {
  std::vector<uint32_t> order(coverage.files.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto missing = [&](uint32_t file) {
    const coverage::Totals totals = totals_of_file(coverage, file);
    return totals.lines - totals.lines_hit;
  };
  std::ranges::stable_sort(order, std::greater<>(), missing);
  const Style style(options.color);
  bool any = false;
  for (const uint32_t index : order) {
    const File& file = coverage.files[index];
    const std::string never =
        ranges(file, [&](const FileLine& line) { return state_of(coverage, line) == LineState::kMissed; });
    const std::string partly =
        ranges(file, [&](const FileLine& line) { return state_of(coverage, line) == LineState::kPartly; });
    if (never.empty() && partly.empty()) continue;
    out << (any ? "\n" : "") << style.bold(cut_start(clean(lines::shown_path(file.path)), options.width)) << '\n';
    if (!never.empty()) out << wrap("never ran: " + never, options.width, "    ");
    if (!partly.empty()) out << wrap("in part: " + partly, options.width, "    ");
    any = true;
  }
  if (!any) out << "Every line ran, and every branch was taken.\n";
}

Status write_covered_source(const Coverage& coverage, const std::string& name, const Options& options,
                            std::ostream& out) {
  bool any = false;
  const auto separate = [&] {
    if (any) out << '\n';
    any = true;
  };
  for (const File& file : coverage.files) {
    if (file.lines.empty() || !file.path.ends_with(name)) continue;
    const coverage::SourceText source = coverage::source_of(file);
    separate();
    write_lines(coverage, file, 1, std::max(file.lines.back().number, static_cast<uint32_t>(source.lines.size())),
                options, out);
  }
  if (any) return Status::ok();
  for (const coverage::Method& method : coverage.methods) {
    const std::string full = coverage.types[method.type].name + "." + method.name;
    if (method.lines.empty() || full.find(name) == std::string::npos) continue;
    separate();
    out << Style(options.color).bold(cut_middle(clean(full), options.width)) << '\n';
    std::map<uint32_t, std::pair<uint32_t, uint32_t>> parts;  // by file: first and last line
    for (const coverage::Line& line : method.lines) {
      const auto [part, is_new] = parts.try_emplace(line.file, line.number, line.number);
      if (!is_new) part->second.second = line.number;
    }
    for (const auto& [file, range] : parts)
      write_lines(coverage, coverage.files[file], range.first, range.second, options, out);
  }
  return any ? Status::ok()
             : Status::error(fmt::format("no file or method in the coverage has '{}' in its name", name));
}

}  // namespace oriel::report
