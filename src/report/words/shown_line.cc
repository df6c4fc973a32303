#include "report/words/shown_line.h"

#include <algorithm>

#include "lines/line_totals.h"
#include "pdb/find.h"
#include "profile/work/category.h"
#include "report/words/text.h"

namespace oriel::report {
namespace {

template <typename Key>
std::map<Key, ShownLine> shown(const std::map<Key, lines::Line>& found, const lines::Lines& lines) {
  std::map<Key, ShownLine> result;
  for (const auto& [key, line] : found)
    result[key] = {clean(lines.short_text(line)), lines.file(line.file).path, line.line};
  return result;
}

}  // namespace

std::map<uint32_t, ShownLine> hottest_own_lines(const profile::Profile& profile) {
  lines::Lines lines(profile, pdb::symbol_folders());
  return shown(lines::hottest_own_lines(profile, lines), lines);
}

std::map<uint32_t, ShownLine> hottest_own_lines(const profile::Profile& profile, const Options& options) {
  return options.lines ? hottest_own_lines(profile) : std::map<uint32_t, ShownLine>();
}

NodeLines::NodeLines(const profile::Profile& profile, const Options& options)
    : profile_(profile), wanted_(options.lines), lines_(profile, pdb::symbol_folders()) {}

std::optional<ShownLine> NodeLines::of(const profile::CallNode& node) {
  if (!wanted_ || node.broken || node.positions.empty()) return std::nullopt;
  if (!profile::is_own(profile_.functions[node.function], profile_)) return std::nullopt;
  std::map<std::pair<uint32_t, uint32_t>, uint64_t> sums;  // by file and line
  for (const auto& [position, periods] : node.positions)
    if (const lines::Line line = lines_.of(position); line.file != 0) sums[{line.file, line.line}] += periods;
  const auto most = std::ranges::max_element(sums, {}, [](const auto& entry) { return entry.second; });
  if (most == sums.end()) return std::nullopt;
  const lines::Line line = {most->first.first, most->first.second};
  return ShownLine{clean(lines_.short_text(line)), lines_.file(line.file).path, line.line};
}

std::map<std::pair<uint32_t, uint32_t>, ShownLine> hottest_allocation_lines(const profile::Profile& profile,
                                                                            profile::AttributeTo maker) {
  lines::Lines lines(profile, pdb::symbol_folders());
  return shown(lines::hottest_allocation_lines(profile, maker, lines), lines);
}

}  // namespace oriel::report
