#include "profile/work/exception_costs.h"

#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "profile/trees/node_place.h"
#include "profile/work/category.h"
#include "profile/work/uses.h"

namespace oriel::profile {
namespace {

// The runtime's managed throw code, and throw helpers.
bool throws_for_others(const Function& function) {
  return function.name.starts_with("System.Runtime.EH.") || function.name.find("ThrowHelper.") != std::string::npos;
}

// By node: periods in the runtime's managed exception code and its callees, or in its native exception code.
std::vector<uint64_t> periods_of_throwing(const Profile& profile) {
  std::vector<uint64_t> periods = periods_of_use(Use::kExceptions, profile);
  const std::vector<Category> categories = node_categories(profile);
  const std::vector<uint64_t>& all = profile.samples.by_node();
  for (size_t i = 0; i < periods.size(); ++i) {
    if (categories[i] == Category::kExceptions) periods[i] = all[i];
  }
  return periods;
}

}  // namespace

uint32_t throwing_node(const Profile& profile, uint32_t stack) {
  uint32_t innermost = 0;
  for (uint32_t at = stack; at != 0; at = profile.nodes[at].parent) {
    const Function& function = profile.functions[profile.nodes[at].function];
    if (is_own(function, profile)) return at;
    if (innermost == 0 && function.managed && !throws_for_others(function)) innermost = at;
  }
  return innermost != 0 ? innermost : stack;
}

ExceptionCosts exception_costs(const Profile& profile) {
  ExceptionCosts costs;
  std::map<NodePlace, std::map<size_t, double>> thrown;  // count by place and type
  std::map<std::string_view, uint64_t> stacks;           // of a type
  for (const ThrownAt& at : profile.thrown_at) stacks[at.type] += at.thrown;
  for (size_t type = 0; type < profile.exceptions.size(); ++type) {
    const ExceptionType& entry = profile.exceptions[type];
    for (const ThrownAt& at : profile.thrown_at) {
      if (at.type != entry.type) continue;
      thrown[place_of(throwing_node(profile, at.node), profile)][type] +=
          static_cast<double>(at.thrown) / static_cast<double>(stacks[at.type]) * static_cast<double>(entry.thrown);
    }
  }
  std::vector<double> by_type(profile.exceptions.size());
  const std::vector<uint64_t> periods = periods_of_throwing(profile);
  for (uint32_t node = 0; node < periods.size(); ++node) {
    if (periods[node] == 0) continue;
    costs.periods += periods[node];
    const auto here = thrown.find(place_of(throwing_node(profile, node), profile));
    if (here == thrown.end()) continue;
    double all = 0;
    for (const auto& [type, count] : here->second) all += count;
    for (const auto& [type, count] : here->second) by_type[type] += static_cast<double>(periods[node]) * count / all;
  }
  for (const double sum : by_type) costs.by_type.push_back(static_cast<uint64_t>(std::llround(sum)));
  return costs;
}

}  // namespace oriel::profile
