#include "report/words/function_table.h"

#include <algorithm>

#include "profile/trees/sample_tree.h"
#include "profile/work/category.h"

namespace oriel::report {

using profile::Function;
using profile::FunctionTotals;
using profile::Profile;

namespace {

// By function index.
std::vector<bool> own_functions(const Profile& profile) {
  std::vector<bool> own;
  for (const Function& function : profile.functions) own.push_back(profile::is_own(function, profile));
  return own;
}

// The part of a function's total that ...
struct Ways {
  uint64_t without_own = 0;  // is not below own code
  uint64_t from_own = 0;     // is called directly by own code
  uint64_t to_own = 0;       // continues in own code, as in the start of an async method
};

// By node: the part of its total that is in or below own code.
std::vector<uint64_t> weights_in_own(const Profile& profile, const profile::SampleTree& tree,
                                     const std::vector<bool>& own) {
  std::vector<uint64_t> weights(profile.nodes.size());
  for (size_t i = weights.size(); i-- > 1;) {
    if (own[profile.nodes[i].function]) weights[i] = tree.total[i];
    weights[profile.nodes[i].parent] += weights[i];
  }
  return weights;
}

std::vector<Ways> ways_of(const Profile& profile, const std::vector<bool>& own) {
  const profile::SampleTree tree = profile::weigh(profile);
  const std::vector<bool> outermost = profile::outermost_nodes(profile.nodes, profile.functions.size());
  const std::vector<uint64_t> in_own = weights_in_own(profile, tree, own);
  std::vector<Ways> ways(profile.functions.size());
  std::vector<bool> below_own(profile.nodes.size());
  for (size_t i = 1; i < profile.nodes.size(); ++i) {
    const profile::Node& node = profile.nodes[i];
    const bool from_own = node.parent != 0 && own[profile.nodes[node.parent].function];
    below_own[i] = below_own[node.parent] || from_own;
    if (!outermost[i]) continue;
    if (!below_own[i]) ways[node.function].without_own += tree.total[i];
    if (from_own) ways[node.function].from_own += tree.total[i];
    ways[node.function].to_own += in_own[i];
  }
  return ways;
}

// Functions that only call one other: thread starts, wrappers.
bool passes_through(const FunctionTotals& entry) {
  constexpr double kNearlyAll = 0.98;
  return static_cast<double>(entry.heaviest_call) >= kNearlyAll * static_cast<double>(entry.total);
}

// A library without symbols is a single function, so its callees say nothing.
bool is_unnamed(const FunctionTotals& entry, const Profile& profile) {
  const Function& function = profile.functions[entry.function];
  return !function.managed && function.name.starts_with('[') && entry.self < entry.total;
}

bool tells_where_it_leads(const FunctionTotals& entry, const Ways& ways, bool own, const Profile& profile) {
  if (!profile.functions[entry.function].managed) return false;
  const bool starts_own = ways.without_own * 2 >= entry.total;
  if (own && starts_own) return true;
  if (!own && ways.from_own * 2 >= entry.total) return ways.to_own * 2 < entry.total;
  const bool last_managed = !profile.functions[entry.heaviest_callee].managed;
  return last_managed && (own || starts_own);
}

}  // namespace

std::vector<bool> significant_functions(const std::vector<FunctionTotals>& all, const Profile& profile) {
  const std::vector<bool> own = own_functions(profile);
  const std::vector<Ways> ways = ways_of(profile, own);
  std::vector<bool> telling(profile.functions.size());
  for (const FunctionTotals& entry : all) {
    const bool tells =
        !passes_through(entry) || tells_where_it_leads(entry, ways[entry.function], own[entry.function], profile);
    telling[entry.function] = tells && !is_unnamed(entry, profile);
  }
  return telling;
}

}  // namespace oriel::report
