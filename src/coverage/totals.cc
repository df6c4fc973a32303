#include <algorithm>
#include <tuple>

#include "coverage/coverage.h"

namespace oriel::coverage {
namespace {

constexpr uint32_t kNotThere = UINT32_MAX;  // a value of `reach` that marks a line for removal

uint64_t taken(const Branch& branch) {
  return static_cast<uint64_t>(std::ranges::count_if(branch.arms, [](uint64_t count) { return count > 0; }));
}

void add_method(const Method& method, Totals& totals) {
  for (const Branch& branch : method.branches) {
    totals.branches += branch.arms.size();
    totals.branches_hit += taken(branch);
  }
  ++totals.methods;
  totals.methods_hit += method.count > 0;
}

uint64_t key_of(uint32_t file, uint32_t line) { return uint64_t{file} << 32 | line; }

// A method's line, with its key in files.
struct LinePlace {
  uint64_t key = 0;
  uint32_t method = 0;
  uint32_t line = 0;  // index into the method's lines
};

std::vector<LinePlace> places_of(const std::vector<Method>& methods) {
  std::vector<LinePlace> places;
  for (uint32_t i = 0; i < methods.size(); ++i)
    for (uint32_t l = 0; l < methods[i].lines.size(); ++l)
      places.push_back({key_of(methods[i].lines[l].file, methods[i].lines[l].number), i, l});
  const auto order = [](const LinePlace& place) { return std::tuple(place.key, place.method, place.line); };
  // Methods are mostly already in file order.
  if (!std::ranges::is_sorted(places, {}, order)) std::ranges::sort(places, {}, order);
  return places;
}

// The line of the shortest statement at one place; the other methods' lines are marked kNotThere.
FileLine joined(std::span<const LinePlace> places, std::vector<Method>& methods) {
  const auto line_at = [&](const LinePlace& place) -> Line& { return methods[place.method].lines[place.line]; };
  uint32_t reach = kNotThere;
  for (const LinePlace& place : places) reach = std::min(reach, line_at(place).reach);
  FileLine told{line_at(places.front()).number, 0, false, {}};
  bool any = false;
  for (const LinePlace& place : places) {
    Line& line = line_at(place);
    if (line.reach > reach) {
      line.reach = kNotThere;
      continue;
    }
    told.partly |= line.partly || (any && (line.count == 0) != (told.count == 0));
    told.count = std::max(told.count, line.count);
    any = true;
  }
  return told;
}

}  // namespace

void join_lines(Coverage& coverage) {
  const std::vector<LinePlace> places = places_of(coverage.methods);
  for (size_t begin = 0, end = 0; begin < places.size(); begin = end) {
    while (end < places.size() && places[end].key == places[begin].key) ++end;
    const std::span<const LinePlace> here = std::span(places).subspan(begin, end - begin);
    coverage.files[places[begin].key >> 32].lines.push_back(joined(here, coverage.methods));
  }
  for (uint32_t i = 0; i < coverage.methods.size(); ++i) {
    Method& method = coverage.methods[i];
    std::erase_if(method.lines, [](const Line& line) { return line.reach == kNotThere; });
    for (uint32_t b = 0; b < method.branches.size(); ++b) {
      std::vector<FileLine>& lines = coverage.files[method.branches[b].file].lines;
      const auto line = std::ranges::lower_bound(lines, method.branches[b].line, {}, &FileLine::number);
      if (line != lines.end() && line->number == method.branches[b].line) line->branches.emplace_back(i, b);
    }
  }
}

ArmCounts ways_of(const Coverage& coverage, const Branches& branches) {
  ArmCounts ways;
  for (const auto& [method, branch] : branches) {
    ways.all += coverage.methods[method].branches[branch].arms.size();
    ways.taken += taken(coverage.methods[method].branches[branch]);
  }
  return ways;
}

Totals totals_of(const Coverage& coverage, std::span<const uint32_t> methods) {
  Totals totals;
  std::vector<std::pair<uint64_t, bool>> lines;
  for (const uint32_t index : methods) {
    const Method& method = coverage.methods[index];
    for (const Line& line : method.lines) lines.push_back({key_of(line.file, line.number), line.count > 0});
    add_method(method, totals);
  }
  if (!std::ranges::is_sorted(lines)) std::ranges::sort(lines);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i + 1 < lines.size() && lines[i + 1].first == lines[i].first)
      continue;  // sorted by hit: of equal lines the
                 // last ran, if any did
    ++totals.lines;
    totals.lines_hit += lines[i].second;
  }
  return totals;
}

Totals totals_of(const Coverage& coverage) {
  Totals totals;
  for (const Method& method : coverage.methods) add_method(method, totals);
  for (const File& file : coverage.files) {
    totals.lines += file.lines.size();
    totals.lines_hit +=
        static_cast<uint64_t>(std::ranges::count_if(file.lines, [](const FileLine& line) { return line.count > 0; }));
  }
  return totals;
}

Totals totals_of_file(const Coverage& coverage, uint32_t file) {
  Totals totals;
  for (const FileLine& line : coverage.files[file].lines) {
    ++totals.lines;
    totals.lines_hit += line.count > 0;
    const ArmCounts ways = ways_of(coverage, line.branches);
    totals.branches += ways.all;
    totals.branches_hit += ways.taken;
  }
  return totals;
}

}  // namespace oriel::coverage
