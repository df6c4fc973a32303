#include "report/coverage/coverage_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "lines/source.h"
#include "report/coverage/coverage_tests.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {
namespace {

using coverage::Coverage;
using coverage::Totals;

std::string part_text(const char* what, uint64_t hit, uint64_t all) {
  return all == 0 ? fmt::format("no {}", what)
                  : fmt::format("{} {} ({} of {})", what, covered_percent(hit, all), count(hit), count(all));
}

std::string ways_cell(const Totals& totals) {
  return totals.branches == 0 ? "" : fmt::format("{}/{}", count(totals.branches_hit), count(totals.branches));
}

constexpr CoverageGroup kGroups[] = {CoverageGroup::kFiles, CoverageGroup::kTypes, CoverageGroup::kNamespaces,
                                     CoverageGroup::kAssemblies, CoverageGroup::kTests};

const char* title_of(CoverageGroup group) {
  switch (group) {
    case CoverageGroup::kFiles:
      return "file";
    case CoverageGroup::kTypes:
      return "type";
    case CoverageGroup::kNamespaces:
      return "namespace";
    case CoverageGroup::kAssemblies:
      return "assembly";
    case CoverageGroup::kTests:
      return "test";
  }
  return "";
}

std::string name_in(const Coverage& coverage, uint32_t method, CoverageGroup group) {
  const coverage::Type& type = coverage.types[coverage.methods[method].type];
  if (group == CoverageGroup::kAssemblies) return coverage.assemblies[type.assembly].name;
  if (group == CoverageGroup::kNamespaces) return type.name_space.empty() ? "(no namespace)" : type.name_space;
  return type.name;
}

void write_groups(const Coverage& coverage, CoverageGroup group, const Options& options, std::ostream& out) {
  constexpr size_t kUsual = 20;
  const std::vector<CoverageRow> all = coverage_rows(coverage, group);
  Table table({{"not run"}, {"lines"}, {"covered"}, {"branches"}}, title_of(group));
  const size_t shown = std::min(all.size(), rows(options, kUsual));
  for (size_t i = 0; i < shown; ++i) {
    const Totals& totals = all[i].totals;
    const uint64_t missing = totals.lines - totals.lines_hit;
    const std::string name = clean(group == CoverageGroup::kFiles ? lines::shown_path(all[i].name) : all[i].name);
    table.add({missing == 0 ? "" : count(missing), count(totals.lines), covered_percent(totals.lines_hit, totals.lines),
               ways_cell(totals)},
              [name](size_t width) { return cut_start(name, width); });
  }
  table.write(out, options.width, 0, Style(options.color));
  out << rest_of_rows(shown, all.size());
}

void write_never_run(const Coverage& coverage, const Options& options, std::ostream& out) {
  constexpr size_t kUsual = 10;
  std::vector<const coverage::Method*> never;
  for (const coverage::Method& method : coverage.methods)
    if (std::ranges::all_of(method.lines, [](const coverage::Line& line) { return line.count == 0; }) &&
        method.count == 0)
      never.push_back(&method);
  if (never.empty()) return;
  std::ranges::stable_sort(never, std::greater<>(),
                           [](const coverage::Method* method) { return method->lines.size(); });
  out << '\n';
  Table table({{"lines"}}, fmt::format("{} never ran", counted(never.size(), "method", "methods")));
  const size_t shown = std::min(never.size(), rows(options, kUsual));
  for (size_t i = 0; i < shown; ++i) {
    const coverage::Method& method = *never[i];
    std::string place;
    if (!method.lines.empty())
      place =
          fmt::format("{}:{}", lines::shown_path(coverage.files[method.lines[0].file].path), method.lines[0].number);
    const std::string name = clean(coverage.types[method.type].name + "." + method.name);
    table.add({method.lines.empty() ? "" : count(method.lines.size())}, [name, place = clean(place)](size_t width) {
      constexpr size_t kLeastPlace = 24, kGap = 2;
      const size_t wide = display_width(name);
      const size_t room = width > wide + kGap ? width - wide - kGap : 0;
      return room < kLeastPlace ? cut_middle(name, width) : name + "  " + cut_start(place, room);
    });
  }
  table.write(out, options.width, 0, Style(options.color));
  out << rest_of_rows(shown, never.size());
}

void write_problems(const Coverage& coverage, const Options& options, std::ostream& out) {
  for (const std::string& problem : coverage.problems) out << wrap(clean(problem), options.width, "");
}

}  // namespace

Result<CoverageGroup> parse_coverage_group(const std::string& text) {
  if (text.empty()) return CoverageGroup::kFiles;
  for (const CoverageGroup group : kGroups)
    if (text == title_of(group)) return group;
  return Status::error(fmt::format("--by takes file, type, namespace, assembly or test, not '{}'", text));
}

std::vector<std::string> coverage_group_names() {
  std::vector<std::string> names;
  for (const CoverageGroup group : kGroups) names.emplace_back(title_of(group));
  return names;
}

std::string covered_percent(uint64_t hit, uint64_t all) {
  if (all == 0) return "";
  return hit == all ? "100 %" : percent(std::min(hit, all - 1), all);
}

std::string coverage_line(const Totals& totals) {
  return fmt::format("{}, {}, {}", part_text("lines", totals.lines_hit, totals.lines),
                     part_text("branches", totals.branches_hit, totals.branches),
                     part_text("methods", totals.methods_hit, totals.methods));
}

std::vector<CoverageRow> coverage_rows(const Coverage& coverage, CoverageGroup group) {
  std::vector<CoverageRow> all;
  if (group == CoverageGroup::kFiles) {
    for (uint32_t file = 0; file < coverage.files.size(); ++file)
      if (!coverage.files[file].lines.empty())
        all.push_back({coverage.files[file].path, totals_of_file(coverage, file)});
  } else {
    std::map<std::string, std::vector<uint32_t>> groups;
    for (uint32_t i = 0; i < coverage.methods.size(); ++i) groups[name_in(coverage, i, group)].push_back(i);
    for (const auto& [name, methods] : groups) all.push_back({name, totals_of(coverage, methods)});
  }
  std::ranges::stable_sort(all, std::greater<>(), [](const CoverageRow& row) {
    return std::pair(row.totals.lines - row.totals.lines_hit, row.totals.branches - row.totals.branches_hit);
  });
  return all;
}

void write_coverage(const Coverage& coverage, CoverageGroup group, const Options& options, std::ostream& out) {
  const Style style(options.color);
  std::string names;
  for (const coverage::Assembly& assembly : coverage.assemblies) names += (names.empty() ? "" : ", ") + assembly.name;
  out << style.bold(cut_end("Coverage of " + clean(names.empty() ? "nothing" : names), options.width)) << '\n';
  out << wrap(coverage_line(totals_of(coverage)), options.width, "");
  write_problems(coverage, options, out);
  if (coverage.methods.empty()) return;
  out << '\n';
  if (group == CoverageGroup::kTests) return write_tests(coverage, options, out);
  write_groups(coverage, group, options, out);
  write_never_run(coverage, options, out);
  write_how_to_ask_for_tests(coverage, options, out);
}

}  // namespace oriel::report
