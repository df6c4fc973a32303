#include "report/shown_line.h"

#include "lines/line_totals.h"
#include "pdb/find.h"
#include "report/text.h"

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

std::map<std::pair<uint32_t, uint32_t>, ShownLine> hottest_allocation_lines(const profile::Profile& profile) {
  lines::Lines lines(profile, pdb::symbol_folders());
  return shown(lines::hottest_allocation_lines(profile, lines), lines);
}

}  // namespace oriel::report
