#include <algorithm>
#include <numeric>
#include <unordered_map>

#include "coverage/coverage.h"

namespace oriel::coverage {
namespace {

using Place = std::pair<uint32_t, uint32_t>;  // file and line

uint64_t gone(const Branch& branch) {
  return static_cast<uint64_t>(std::ranges::count_if(branch.arms, [](uint64_t count) { return count > 0; }));
}

uint64_t key_of(uint32_t file, uint32_t line) { return uint64_t{file} << 32 | line; }

// A line of a file, as far as methods were looked at.
struct Joined {
  uint32_t reach = 0;  // of the shortest statement
  bool any = false;
  FileLine line;
};

// Whether the method's line is of the statement that tells.
bool take(const Line& line, Joined& into) {
  if (line.reach > into.reach) return false;
  if (into.any)
    into.line.partly |= line.partly || (line.count == 0) != (into.line.count == 0);
  else
    into.line = {line.number, line.count, line.partly, {}};
  into.line.count = std::max(into.line.count, line.count);
  into.any = true;
  return true;
}

}  // namespace

void join_lines(Coverage& coverage) {
  std::unordered_map<uint64_t, Joined> joined;
  for (const Method& method : coverage.methods) {
    for (const Line& line : method.lines) {
      const auto [known, is_new] = joined.try_emplace(key_of(line.file, line.number), Joined{line.reach, false, {}});
      if (!is_new) known->second.reach = std::min(known->second.reach, line.reach);
    }
  }
  for (uint32_t i = 0; i < coverage.methods.size(); ++i) {
    Method& method = coverage.methods[i];
    std::erase_if(method.lines,
                  [&](const Line& line) { return !take(line, joined.at(key_of(line.file, line.number))); });
    for (uint32_t b = 0; b < method.branches.size(); ++b) {
      const auto line = joined.find(key_of(method.branches[b].file, method.branches[b].line));
      if (line != joined.end()) line->second.line.branches.emplace_back(i, b);
    }
  }
  for (auto& [key, entry] : joined) coverage.files[key >> 32].lines.push_back(std::move(entry.line));
  for (File& file : coverage.files) std::ranges::sort(file.lines, {}, &FileLine::number);
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
