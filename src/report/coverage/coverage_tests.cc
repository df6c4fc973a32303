#include "report/coverage/coverage_tests.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <optional>
#include <ostream>
#include <string_view>

#include "base/text/shown_shell_word.h"
#include "base/text/whole_number.h"
#include "report/words/more.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {
namespace {

using coverage::Coverage;
using coverage::Test;

std::string name_of(const Test& test) { return clean(test.name) + (test.shared ? "  (in parallel with others)" : ""); }

// The line number in "Cart.cs:34"; nullopt if there is none.
std::optional<uint32_t> line_of(std::string_view place) {
  const size_t colon = place.rfind(':');
  const std::optional<uint64_t> number =
      colon == std::string_view::npos ? std::nullopt : whole_number(place.substr(colon + 1));
  return number && *number <= UINT32_MAX ? std::optional(static_cast<uint32_t>(*number)) : std::nullopt;
}

CoveredLines lines_of_files(const Coverage& coverage, const std::string& name, std::optional<uint32_t> number) {
  CoveredLines lines;
  for (uint32_t file = 0; file < coverage.files.size(); ++file) {
    if (!coverage.files[file].path.ends_with(name)) continue;
    for (const coverage::FileLine& line : coverage.files[file].lines)
      if (!number || line.number == *number) lines.emplace_back(file, line.number);
  }
  return lines;
}

CoveredLines lines_of_methods(const Coverage& coverage, const std::string& name) {
  CoveredLines lines;
  for (const coverage::Method& method : coverage.methods) {
    if ((coverage.types[method.type].name + "." + method.name).find(name) == std::string::npos) continue;
    for (const coverage::Line& line : method.lines) lines.emplace_back(line.file, line.number);
  }
  std::ranges::sort(lines);
  lines.erase(std::unique(lines.begin(), lines.end()), lines.end());
  return lines;
}

// A command that runs only these tests; "" if names need escaping, or there are too many.
std::string filter_of(const std::vector<TestRow>& rows) {
  constexpr size_t kMost = 12;
  if (rows.empty() || rows.size() > kMost) return "";
  std::string filter;
  for (const TestRow& row : rows) {
    const auto is_plain = [](unsigned char c) { return std::isalnum(c) || c == '.' || c == '_' || c == '+'; };
    if (!std::ranges::all_of(row.test->name, is_plain)) return "";
    filter += (filter.empty() ? "" : "|") + ("FullyQualifiedName=" + row.test->name);
  }
  return "dotnet test --filter '" + filter + "'";
}

}  // namespace

std::string why_no_tests(const Coverage& coverage) {
  return coverage.tests.empty()
             ? "this log does not record which test ran what; oriel cover --per-test -- dotnet test does"
             : "";
}

std::vector<TestRow> test_rows(const Coverage& coverage) {
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> runners;  // number of tests by line
  for (const Test& test : coverage.tests)
    for (const auto& line : test.lines) ++runners[line];
  std::vector<TestRow> rows;
  for (const Test& test : coverage.tests) {
    const auto alone = std::ranges::count_if(test.lines, [&](const auto& line) { return runners.at(line) == 1; });
    rows.push_back({&test, test.lines.size(), static_cast<uint64_t>(alone), 0});
  }
  std::ranges::stable_sort(rows, std::greater<>(), [](const TestRow& row) { return std::pair(row.alone, row.lines); });
  return rows;
}

Result<CoveredLines> lines_named(const Coverage& coverage, const std::string& place) {
  const std::optional<uint32_t> number = line_of(place);
  const std::string file = number ? place.substr(0, place.rfind(':')) : place;
  CoveredLines lines = lines_of_files(coverage, file, number);
  if (lines.empty() && !number) lines = lines_of_methods(coverage, place);
  if (!lines.empty()) return lines;
  return Status::error(number ? fmt::format("{} has no code, or is not part of the coverage", place)
                              : fmt::format("no file or method in the coverage has '{}' in its name", place));
}

std::vector<TestRow> tests_of(const Coverage& coverage, const CoveredLines& lines) {
  std::vector<TestRow> rows = test_rows(coverage);
  for (TestRow& row : rows)
    row.chosen = static_cast<uint64_t>(std::ranges::count_if(
        row.test->lines, [&](const auto& line) { return std::ranges::binary_search(lines, line); }));
  std::erase_if(rows, [](const TestRow& row) { return row.chosen == 0; });
  std::ranges::stable_sort(rows, [](const TestRow& a, const TestRow& b) {
    return a.chosen != b.chosen ? a.chosen > b.chosen : a.lines < b.lines;
  });
  return rows;
}

void write_tests(const Coverage& coverage, const Options& options, std::ostream& out) {
  constexpr size_t kUsual = 20;
  const std::vector<TestRow> all = test_rows(coverage);
  Table table({{"lines"}, {"only it"}}, counted(all.size(), "test", "tests"));
  const size_t shown = std::min(all.size(), rows(options, kUsual));
  for (size_t i = 0; i < shown; ++i) {
    const std::string name = name_of(*all[i].test);
    table.add({count(all[i].lines), all[i].alone == 0 ? "" : count(all[i].alone)},
              [name](size_t width) { return cut_start(name, width); });
  }
  table.write(out, options.width, 0, Style(options.color));
  out << rest_of_rows(shown, all.size());
}

void write_how_to_ask_for_tests(const Coverage& coverage, const Options& options, std::ostream& out) {
  if (options.same_log.empty()) return;
  for (const Test& test : coverage.tests) {
    if (test.lines.empty()) continue;
    const auto& [file, line] = *test.lines.begin();
    const std::string name = std::filesystem::path(coverage.files[file].path).filename();
    out << '\n'
        << wrap_with_more("Which tests run a line:",
                          fmt::format("oriel report coverage --tests-of {}:{}", shown_shell_word(name), line), "",
                          options);
    return;
  }
}

void write_tests_of(const Coverage& coverage, const CoveredLines& lines, const std::string& what,
                    const Options& options, std::ostream& out) {
  constexpr size_t kUsual = 20;
  const std::vector<TestRow> all = tests_of(coverage, lines);
  const Style style(options.color);
  out << style.bold(cut_end(fmt::format("Tests that run {}", clean(what)), options.width)) << '\n';
  if (all.empty()) {
    out << "None.\n";
    return;
  }
  const bool is_one = lines.size() == 1;
  std::vector<Table::Column> columns = {{"in total"}};
  if (!is_one) columns.insert(columns.begin(), {fmt::format("of {} lines", count(lines.size()))});
  Table table(std::move(columns),
              fmt::format("{} of {}", count(all.size()), counted(coverage.tests.size(), "test", "tests")));
  const size_t shown = std::min(all.size(), rows(options, kUsual));
  for (size_t i = 0; i < shown; ++i) {
    const std::string name = name_of(*all[i].test);
    std::vector<std::string> cells = {count(all[i].lines)};
    if (!is_one) cells.insert(cells.begin(), count(all[i].chosen));
    table.add(std::move(cells), [name](size_t width) { return cut_start(name, width); });
  }
  table.write(out, options.width, 0, style);
  out << rest_of_rows(shown, all.size());
  const std::string filter = coverage.by_dotnet_test ? filter_of(all) : "";
  if (!filter.empty()) out << "\nRun them: " << filter << '\n';
}

}  // namespace oriel::report
