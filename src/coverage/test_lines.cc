#include "coverage/test_lines.h"

#include <algorithm>

#include "base/text/words.h"

namespace oriel::coverage {

void TestLines::add(std::string_view names, uint32_t method, const Method& ran) {
  const bool shared = names.find('\n') != std::string_view::npos;
  while (!names.empty()) {
    Found& found = by_name_[std::string(cut(names, '\n'))];
    found.shared = found.shared || shared;
    for (const Line& line : ran.lines)
      if (line.count > 0) found.lines.push_back({method, {line.file, line.number}});
    add_branches(method, ran.branches, found);
  }
}

std::vector<Test> TestLines::finish(const std::vector<Method>& methods, const std::vector<uint32_t>& joined) const {
  std::vector<Test> tests;
  for (const auto& [name, found] : by_name_) {
    Test& test = tests.emplace_back(Test{name, found.shared, {}});
    for (const auto& [method, place] : found.lines)
      if (has_line(methods[joined[method]], place)) test.lines.push_back(place);
    std::ranges::sort(test.lines);
    test.lines.erase(std::unique(test.lines.begin(), test.lines.end()), test.lines.end());
    for (const auto& [key, branch] : found.branches) test.branches.push_back(branch);
    std::ranges::stable_sort(test.branches, {}, [](const Branch& one) { return std::pair(one.file, one.line); });
  }
  return tests;
}

// The cases of a theory are one test, and may take different branches.
void TestLines::add_branches(uint32_t method, const std::vector<Branch>& branches, Found& found) {
  for (uint32_t i = 0; i < branches.size(); ++i) {
    if (std::ranges::max(branches[i].arms) == 0) continue;
    const auto [known, is_new] = found.branches.try_emplace({method, i}, branches[i]);
    for (size_t arm = 0; !is_new && arm < branches[i].arms.size(); ++arm)
      known->second.arms[arm] = std::max(known->second.arms[arm], branches[i].arms[arm]);
  }
}

bool TestLines::has_line(const Method& method, const Place& place) {
  const auto place_of = [](const Line& line) { return Place(line.file, line.number); };
  return std::ranges::binary_search(method.lines, place, {}, place_of);
}

}  // namespace oriel::coverage
