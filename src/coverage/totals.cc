#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "coverage/coverage.h"

namespace oriel::coverage {
namespace {

using Place = std::pair<uint32_t, uint32_t>;  // file and line

uint64_t gone(const Branch& branch) {
  return static_cast<uint64_t>(std::ranges::count_if(branch.arms, [](uint64_t count) { return count > 0; }));
}

void take(const Line& line, FileLine& into) {
  into.partly |= line.partly || (line.count == 0) != (into.count == 0);
  into.count = std::max(into.count, line.count);
}

}  // namespace

void join_lines(Coverage& coverage) {
  std::set<Place> begun;
  for (const Method& method : coverage.methods)
    for (const Line& line : method.lines)
      if (!line.reached) begun.insert({line.file, line.number});
  std::map<Place, FileLine> joined;
  for (size_t i = 0; i < coverage.methods.size(); ++i) {
    Method& method = coverage.methods[i];
    std::erase_if(method.lines, [&](const Line& line) {
      return line.reached && begun.contains({line.file, line.number});
    });
    for (const Line& line : method.lines) {
      const auto [known, is_new] =
          joined.try_emplace({line.file, line.number}, FileLine{line.number, line.count, line.partly, {}});
      if (!is_new) take(line, known->second);
    }
    for (uint32_t b = 0; b < method.branches.size(); ++b) {
      const Branch& branch = method.branches[b];
      const auto line = joined.find({branch.file, branch.line});
      if (line != joined.end()) line->second.branches.emplace_back(static_cast<uint32_t>(i), b);
    }
  }
  for (auto& [place, line] : joined) coverage.files[place.first].lines.push_back(std::move(line));
  for (Test& test : coverage.tests) {
    std::ranges::sort(test.lines);
    const auto rest = std::ranges::unique(test.lines);
    test.lines.erase(rest.begin(), rest.end());
  }
}

Ways ways_of(const Coverage& coverage, const FileLine& line) {
  Ways ways;
  for (const auto& [method, branch] : line.branches) {
    ways.all += coverage.methods[method].branches[branch].arms.size();
    ways.gone += gone(coverage.methods[method].branches[branch]);
  }
  return ways;
}

Totals totals_of(const Coverage& coverage, std::span<const uint32_t> methods) {
  Totals totals;
  std::vector<std::pair<Place, bool>> lines;
  for (const uint32_t index : methods) {
    const Method& method = coverage.methods[index];
    for (const Line& line : method.lines) lines.push_back({{line.file, line.number}, line.count > 0});
    for (const Branch& branch : method.branches) {
      totals.branches += branch.arms.size();
      totals.branches_hit += gone(branch);
    }
    ++totals.methods;
    totals.methods_hit += method.count > 0;
  }
  std::ranges::sort(lines);
  for (size_t i = 0; i < lines.size(); ++i) {
    if (i + 1 < lines.size() && lines[i + 1].first == lines[i].first) continue;  // the last is the one that ran, if any
    ++totals.lines;
    totals.lines_hit += lines[i].second;
  }
  return totals;
}

Totals totals_of(const Coverage& coverage) {
  std::vector<uint32_t> all(coverage.methods.size());
  std::iota(all.begin(), all.end(), 0u);
  return totals_of(coverage, all);
}

Totals totals_of_file(const Coverage& coverage, uint32_t file) {
  Totals totals;
  for (const FileLine& line : coverage.files[file].lines) {
    ++totals.lines;
    totals.lines_hit += line.count > 0;
    const Ways ways = ways_of(coverage, line);
    totals.branches += ways.all;
    totals.branches_hit += ways.gone;
  }
  return totals;
}

}  // namespace oriel::coverage
