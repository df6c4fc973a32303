#include "profile/trees/call_edges.h"

#include <algorithm>
#include <unordered_map>

#include "profile/call_figures.h"
#include "profile/trees/sample_tree.h"

namespace oriel::profile {
namespace {

constexpr uint64_t key_of(uint32_t first, uint32_t second) { return static_cast<uint64_t>(first) << 32 | second; }

}  // namespace

std::vector<CallEdge> call_edges(const Profile& profile) {
  std::vector<int64_t> inclusive(profile.call_nodes.size());
  for (size_t i = inclusive.size(); i-- > 1;) {
    inclusive[i] += profile.call_figures[i].self_ns;
    inclusive[profile.call_nodes[i].parent] += inclusive[i];
  }
  const std::vector<bool> outermost = outermost_nodes(profile.call_nodes, profile.functions.size());
  std::unordered_map<uint64_t, CallEdge> edges;
  for (size_t i = 1; i < profile.call_nodes.size(); ++i) {
    if (profile.call_figures[i].calls == 0) continue;
    const uint32_t caller = profile.call_nodes[profile.call_nodes[i].parent].function;
    const uint32_t callee = profile.call_nodes[i].function;
    CallEdge& edge = edges[key_of(caller, callee)];
    edge.caller = caller;
    edge.callee = callee;
    edge.calls += profile.call_figures[i].calls;
    if (!outermost[i]) continue;
    edge.ns += inclusive[i];
    edge.recursive = false;
  }
  std::vector<CallEdge> sorted;
  for (const auto& [key, edge] : edges) sorted.push_back(edge);
  std::sort(sorted.begin(), sorted.end(), [](const CallEdge& a, const CallEdge& b) {
    if (a.ns != b.ns) return a.ns > b.ns;
    return a.calls != b.calls ? a.calls > b.calls : key_of(a.caller, a.callee) < key_of(b.caller, b.callee);
  });
  return sorted;
}

size_t depth_of(const std::vector<Node>& call_nodes) {
  std::vector<uint32_t> depths(call_nodes.size());
  uint32_t deepest = 0;
  for (size_t i = 1; i < depths.size(); ++i) {
    depths[i] = depths[call_nodes[i].parent] + 1;
    deepest = std::max(deepest, depths[i]);
  }
  return deepest;
}

CallWays without_recursion(const Profile& profile) {
  CallWays result{{{}}, {{}}, profile.allocations};
  std::vector<uint32_t> now(profile.call_nodes.size());  // by node: the one in the result
  std::unordered_map<uint64_t, uint32_t> children;
  for (size_t i = 1; i < profile.call_nodes.size(); ++i) {
    const uint32_t parent = now[profile.call_nodes[i].parent];
    const uint32_t function = profile.call_nodes[i].function;
    // No way in the result has a method twice, so that this is short however deep the calls were.
    uint32_t same = parent;
    while (same != 0 && result.nodes[same].function != function) same = result.nodes[same].parent;
    if (same == 0) {
      const auto [at, made] =
          children.try_emplace(key_of(parent, function), static_cast<uint32_t>(result.nodes.size()));
      same = at->second;
      if (made) {
        result.nodes.push_back({parent, function, profile.call_nodes[i].truncated});
        result.figures.push_back({});
        result.figures.back().thread = profile.call_figures[i].thread;
      }
    }
    now[i] = same;
    add_figures(profile.call_figures[i], result.figures[same]);
  }
  for (Allocations& entry : result.allocations) entry.node = now[entry.node];
  return result;
}

}  // namespace oriel::profile
