#include "profile/trees/call_tree.h"

#include <algorithm>
#include <map>
#include <memory>

#include "base/text/function_names.h"
#include "profile/hashed_rows.h"
#include "profile/trees/sample_tree.h"
#include "profile/work/category.h"

namespace oriel::profile {
namespace {

// A part of an aggregated node: a node of the sampled tree, and the samples that it stands for.
struct Item {
  uint32_t node = 0;
  bool broken = false;  // stands for the node's unknown callers
  uint64_t weight = 0;
};

// An item one level further down the aggregated tree, and its function there.
struct Step {
  uint32_t function = 0;
  Item item;
};

std::vector<std::pair<uint32_t, uint64_t>> positions_of(const std::vector<Item>& items,
                                                        const std::vector<Node>& nodes) {
  std::map<uint32_t, uint64_t> sums;
  for (const Item& item : items)
    if (!item.broken && nodes[item.node].position != 0) sums[nodes[item.node].position] += item.weight;
  return {sums.begin(), sums.end()};
}

// Grows an aggregated tree from the root, without descending into cut nodes: the sampled tree may have millions of
// nodes. `next(item, steps)` adds the item's steps and returns how many of its samples end here. `counts`, if any, are
// by node of the sampled tree `nodes`, and are added with an item's step. The root keeps `at_least` children whatever
// their total.
template <typename Next>
CallTree grow(CallNode root, std::vector<Item> root_items, uint64_t min_total, size_t at_least,
              const std::vector<uint64_t>& counts, const std::vector<Node>& nodes, const Next& next) {
  CallTree tree;
  tree.nodes.push_back(std::move(root));
  std::vector<std::vector<Item>> items = {std::move(root_items)};  // by node; cleared once the node is grown
  std::vector<Step> steps;
  for (uint32_t at = 0; at < tree.nodes.size(); ++at) {
    steps.clear();
    for (const Item& item : items[at]) tree.nodes[at].self += next(item, steps);
    std::vector<Item>().swap(items[at]);
    std::stable_sort(steps.begin(), steps.end(), [](const Step& a, const Step& b) { return a.function < b.function; });
    std::vector<std::pair<CallNode, std::pair<size_t, size_t>>> kept;  // with its range of steps
    for (size_t first = 0, last = 0; first < steps.size(); first = last) {
      CallNode child;
      child.function = steps[first].function;
      child.parent = at;
      child.broken = child.function == 0;
      for (; last < steps.size() && steps[last].function == child.function; ++last) {
        child.total += steps[last].item.weight;
        if (!counts.empty()) child.count += counts[steps[last].item.node];
      }
      kept.emplace_back(std::move(child), std::pair(first, last));
    }
    std::stable_sort(kept.begin(), kept.end(),
                     [](const auto& a, const auto& b) { return a.first.total > b.first.total; });
    while (kept.size() > (at == 0 ? at_least : 0) && kept.back().first.total < min_total) {
      tree.nodes[at].hidden_total += kept.back().first.total;
      ++tree.nodes[at].hidden_children;
      ++tree.hidden_nodes;
      kept.pop_back();
    }
    for (auto& [child, range] : kept) {
      tree.nodes[at].children.push_back(static_cast<uint32_t>(tree.nodes.size()));
      tree.nodes.push_back(std::move(child));
      auto& taken = items.emplace_back();
      for (size_t i = range.first; i < range.second; ++i) taken.push_back(steps[i].item);
      tree.nodes.back().positions = positions_of(taken, nodes);
    }
  }
  return tree;
}

// Profile::node_counts in the unit of CallNode::count.
std::vector<uint64_t> counts_of(const Profile& profile) {
  std::vector<uint64_t> counts = profile.node_counts;
  if (profile.unit == Unit::kNanoseconds || counts.empty()) return counts;
  for (size_t i = counts.size(); i-- > 1;) counts[profile.nodes[i].parent] += counts[i];
  return counts;
}

// The part of the caller's total that went through the callee.
struct Call {
  uint32_t caller = 0;
  uint32_t callee = 0;
  uint64_t total = 0;
  uint64_t hash() const { return mix(caller, callee); }
  bool same(const Call& other) const { return caller == other.caller && callee == other.callee; }
};

// The largest part of each function's total that goes through one callee. Direct recursion is skipped: the callee is
// the first other function.
void add_heaviest_calls(const Profile& profile, const SampleTree& tree, const std::vector<bool>& outermost,
                        std::vector<FunctionTotals>& totals) {
  HashedRows<Call> calls;
  std::vector<bool> counts = outermost;  // outermost, or a direct recursive call from there
  for (size_t i = 1; i < profile.nodes.size(); ++i) {
    const uint32_t parent = profile.nodes[i].parent;
    if (parent == 0 || !counts[parent] || tree.total[i] == 0) continue;
    const uint32_t caller = profile.nodes[parent].function;
    if (caller == profile.nodes[i].function) {
      counts[i] = true;
    } else {
      calls[calls.find_or_add({caller, profile.nodes[i].function, 0})].total += tree.total[i];
    }
  }
  for (uint32_t i = 0; i < calls.size(); ++i) {
    FunctionTotals& caller = totals[calls[i].caller];
    if (calls[i].total <= caller.heaviest_call) continue;
    caller.heaviest_call = calls[i].total;
    caller.heaviest_callee = calls[i].callee;
  }
}

std::vector<FunctionTotals> add_up(const Profile& profile) {
  const SampleTree tree = weigh(profile);
  const std::vector<bool> outermost = outermost_nodes(profile.nodes, profile.functions.size());
  std::vector<FunctionTotals> totals(profile.functions.size());
  for (size_t i = 0; i < totals.size(); ++i) totals[i].function = static_cast<uint32_t>(i);
  for (size_t i = 1; i < profile.nodes.size(); ++i) {
    FunctionTotals& entry = totals[profile.nodes[i].function];
    entry.self += tree.self[i];
    if (outermost[i]) entry.total += tree.total[i];
  }
  add_heaviest_calls(profile, tree, outermost, totals);
  std::erase_if(totals, [](const FunctionTotals& entry) { return entry.function == 0 || entry.total == 0; });
  std::stable_sort(totals.begin(), totals.end(), [](const FunctionTotals& a, const FunctionTotals& b) {
    return a.self != b.self ? a.self > b.self : a.total > b.total;
  });
  return totals;
}

}  // namespace

const std::vector<FunctionTotals>& function_totals(const Profile& profile) {
  auto& known = profile.samples.findings().by_function;
  if (!known) known = std::make_shared<const std::vector<FunctionTotals>>(add_up(profile));
  return *known;
}

CallTree call_tree(const Profile& profile, uint64_t min_total) {
  const SampleTree tree = weigh(profile);
  const Children children = children_of(profile.nodes);
  CallNode root;
  root.total = tree.total[0];
  const auto step_down = [&](const Item& item, std::vector<Step>& steps) {
    if (item.broken) {
      steps.push_back({profile.nodes[item.node].function, {item.node, false, item.weight}});
      return uint64_t{0};
    }
    for (uint32_t i = children.starts[item.node]; i < children.starts[item.node + 1]; ++i) {
      const uint32_t child = children.ids[i];
      const bool broken = profile.nodes[child].truncated;
      if (tree.total[child] > 0)
        steps.push_back({broken ? 0 : profile.nodes[child].function, {child, broken, tree.total[child]}});
    }
    return tree.self[item.node];
  };
  return grow(std::move(root), {{0, false, tree.total[0]}}, min_total, 0, counts_of(profile), profile.nodes, step_down);
}

CallTree callers(const Profile& profile, uint32_t function, uint64_t min_total, size_t at_least) {
  const SampleTree tree = weigh(profile);
  const std::vector<Node>& nodes = profile.nodes;
  const auto calls_itself = [&](uint32_t node) { return node != 0 && nodes[nodes[node].parent].function == function; };
  CallNode root;
  root.function = function;
  std::vector<uint32_t> nearest(nodes.size());  // by node: the innermost node of the function among its ancestors and
                                                // itself
  std::vector<uint64_t> weights(nodes.size());  // by these nodes
  for (uint32_t i = 1; i < nodes.size(); ++i) {
    nearest[i] = nearest[nodes[i].parent];
    // A chain of direct recursive calls counts at its first node.
    if (nodes[i].function == function && !(calls_itself(i) && nearest[i] != 0)) nearest[i] = i;
    if (nearest[i] != 0) weights[nearest[i]] += tree.self[i];
  }
  std::vector<Item> items;
  for (uint32_t i = 1; i < nodes.size(); ++i) {
    if (weights[i] == 0) continue;
    items.push_back({i, false, weights[i]});
    root.total += weights[i];
  }
  const auto step_up = [&](const Item& item, std::vector<Step>& steps) {
    const Node& node = nodes[item.node];
    if (node.parent != 0) {
      steps.push_back({nodes[node.parent].function, {node.parent, false, item.weight}});
    } else if (node.truncated && !item.broken) {
      steps.push_back({0, {item.node, true, item.weight}});
    } else {
      return item.weight;
    }
    return uint64_t{0};
  };
  return grow(std::move(root), std::move(items), min_total, at_least, {}, nodes, step_up);
}

namespace {

// "libc.so.6" of "[libc.so.6]".
std::string_view without_brackets(std::string_view name) {
  const bool has = name.size() > 2 && name.front() == '[' && name.back() == ']';
  return has ? name.substr(1, name.size() - 2) : name;
}

}  // namespace

std::vector<FunctionTotals> matching_functions(const Profile& profile, std::string_view pattern) {
  std::vector<FunctionTotals> all = function_totals(profile);
  // Of functions that are always in the same stacks, prefer own code.
  std::vector<bool> own(profile.functions.size());
  for (const FunctionTotals& entry : all) own[entry.function] = is_own(profile.functions[entry.function], profile);
  std::stable_sort(all.begin(), all.end(), [&](const FunctionTotals& a, const FunctionTotals& b) {
    return a.total != b.total ? a.total > b.total : own[a.function] && !own[b.function];
  });
  std::vector<FunctionTotals> exact;
  std::vector<FunctionTotals> part;
  for (const FunctionTotals& entry : all) {
    const Function& function = profile.functions[entry.function];
    const std::string& name = function.name;
    const auto is_it = [&](std::string_view known) { return known == pattern; };
    if (is_it(name) || is_it(without_parameters(name)) || is_it(without_brackets(name)) ||
        (!function.managed && (is_it(name + " [" + function.module + "]") || is_it(name + " " + function.module))))
      exact.push_back(entry);
    if (name.find(pattern) != std::string::npos) part.push_back(entry);
  }
  return exact.empty() ? part : exact;
}

}  // namespace oriel::profile
