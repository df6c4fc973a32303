#include "report/coverage/coverage_diff.h"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>

#include "lines/source.h"
#include "report/coverage/coverage_text.h"
#include "report/words/table.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {
namespace {

using coverage::FileChange;
using coverage::Totals;

std::string difference(uint64_t before, uint64_t now) {
  if (before == now) return "";
  return now > before ? "+" + count(now - before) : "-" + count(before - now);
}

std::string ranges(const std::vector<uint32_t>& lines) {
  std::string text;
  for (size_t i = 0; i < lines.size();) {
    size_t end = i + 1;
    while (end < lines.size() && lines[end] == lines[end - 1] + 1) ++end;
    text += (text.empty() ? "" : ", ") + std::to_string(lines[i]);
    if (end - i > 1) text += "-" + std::to_string(lines[end - 1]);
    i = end;
  }
  return text;
}

std::string shown(const std::string& path) { return clean(lines::shown_path(path)); }

}  // namespace

Totals totals_of(const std::vector<coverage::TouchedFile>& files) {
  Totals totals;
  for (const coverage::TouchedFile& file : files) {
    totals.lines += file.covered.size() + file.missed.size();
    totals.lines_hit += file.covered.size();
  }
  return totals;
}

Totals totals_of(const coverage::LineStates& states) {
  Totals totals;
  for (const auto& [path, lines] : states) {
    totals.lines += lines.size();
    totals.lines_hit +=
        static_cast<uint64_t>(std::ranges::count_if(lines, [](const auto& line) { return line.second; }));
  }
  return totals;
}

void write_coverage_changes(const coverage::LineStates& before, const coverage::LineStates& now, const Options& options,
                            std::ostream& out) {
  constexpr size_t kUsual = 20;
  const Totals old_totals = totals_of(before), totals = totals_of(now);
  out << fmt::format("lines {} ({} of {}), before {} ({} of {})\n", covered_percent(totals.lines_hit, totals.lines),
                     count(totals.lines_hit), count(totals.lines),
                     covered_percent(old_totals.lines_hit, old_totals.lines), count(old_totals.lines_hit),
                     count(old_totals.lines));
  const std::vector<FileChange> changes = coverage::changes(before, now);
  if (changes.empty()) {
    out << "No file's coverage changed.\n";
    return;
  }
  out << '\n';
  Table table({{"not run"}, {"lines"}, {"before"}, {"now"}}, "file");
  const size_t shown_rows = std::min(changes.size(), rows(options, kUsual));
  for (size_t i = 0; i < shown_rows; ++i) {
    const FileChange& change = changes[i];
    const std::string path = shown(change.path);
    table.add({difference(change.lines_before - change.hit_before, change.lines - change.hit),
               difference(change.lines_before, change.lines), covered_percent(change.hit_before, change.lines_before),
               covered_percent(change.hit, change.lines)},
              [path](size_t width) { return cut_start(path, width); });
  }
  table.write(out, options.width, 0, Style(options.color));
  out << rest_of_rows(shown_rows, changes.size());
}

void write_touched(const std::vector<coverage::TouchedFile>& files, const Options& options, std::ostream& out) {
  const Totals totals = totals_of(files);
  if (totals.lines == 0) {
    out << "None of the changed lines has code that coverage counts.\n";
    return;
  }
  const Style style(options.color);
  out << fmt::format("{} of {} with code ran ({})\n", count(totals.lines_hit),
                     counted(totals.lines, "changed line", "changed lines"),
                     covered_percent(totals.lines_hit, totals.lines));
  for (const coverage::TouchedFile& file : files) {
    if (file.missed.empty()) continue;
    out << '\n' << style.bold(cut_start(shown(file.path), options.width)) << '\n';
    out << wrap("never ran: " + ranges(file.missed), options.width, "    ");
  }
}

}  // namespace oriel::report
