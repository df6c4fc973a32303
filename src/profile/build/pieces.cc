#include "profile/build/pieces.h"

#include <algorithm>
#include <numeric>
#include <unordered_set>
#include <utility>

#include "profile/call_figures.h"

namespace oriel::profile {
namespace {

// The figures of the stub that creates a state machine, without its calls: these are counted where the machine runs.
// Its time is its own, and it may have the longest call.
CallFigures without_calls(CallFigures figures) {
  figures.calls = figures.by_exception = figures.running = 0;
  return figures;
}

}  // namespace

CalledMethod called_method(uint64_t method, const Names& names, Functions& functions) {
  Function function = names.method(method);
  const bool piece = is_move_next(function);
  return {functions.add(std::move(function)), piece};
}

void renumber(const std::vector<uint32_t>& now, std::vector<uint32_t>& nodes) {
  for (uint32_t& node : nodes) node = now[node];
}

std::vector<uint32_t> merge_move_next(const std::vector<bool>& pieces, Profile& profile) {
  std::vector<uint32_t> now(profile.call_nodes.size());
  std::iota(now.begin(), now.end(), 0u);
  if (std::find(pieces.begin(), pieces.end(), true) == pieces.end()) return now;
  std::unordered_set<uint32_t> in_pieces;
  for (size_t i = 1; i < profile.call_nodes.size(); ++i)
    if (pieces[i]) in_pieces.insert(profile.call_nodes[i].function);
  const auto makes = [&](size_t node) {
    return node != 0 && !pieces[node] && in_pieces.contains(profile.call_nodes[node].function);
  };
  std::vector<Node> nodes(1, profile.call_nodes[0]);
  std::vector<CallFigures> figures(1, profile.call_figures[0]);
  for (size_t i = 1; i < profile.call_nodes.size(); ++i) {
    const Node& node = profile.call_nodes[i];
    const bool first = pieces[i] && makes(node.parent) && profile.call_nodes[node.parent].function == node.function;
    if (first) {
      now[i] = now[node.parent];
      add_figures(profile.call_figures[i], figures[now[i]]);
      continue;
    }
    now[i] = static_cast<uint32_t>(nodes.size());
    nodes.push_back(node);
    nodes.back().parent = now[node.parent];
    figures.push_back(makes(i) ? without_calls(profile.call_figures[i]) : profile.call_figures[i]);
  }
  profile.call_nodes = std::move(nodes);
  profile.call_figures = std::move(figures);
  return now;
}

}  // namespace oriel::profile
