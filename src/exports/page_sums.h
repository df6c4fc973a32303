// Sums over the nodes of a page's tree.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "exports/page_tree.h"

namespace oriel::exports {

// By node: the weight of its own code, and with what it calls.
struct NodeSums {
  std::vector<uint64_t> self, total;
};
template <typename Counts>
NodeSums node_sums(const std::vector<PageNode>& nodes, const std::vector<PageWeight>& weights, const Counts& counts) {
  NodeSums sums;
  sums.self.resize(nodes.size());
  for (const PageWeight& weight : weights)
    if (counts(weight)) sums.self[weight.node] += weight.self;
  sums.total = sums.self;
  for (size_t i = nodes.size(); i-- > 1;) sums.total[nodes[i].parent] += sums.total[i];
  return sums;
}

// A tree turned around: from a frame to its callers, their callers and so on. Where the frame is in a stack more than
// once, the innermost is followed outwards; a direct recursive call does not count as a caller. `places` is kNoPlace
// for nodes that the frame does not call.
Folded callers_of(const std::vector<PageNode>& nodes, uint32_t frame);

struct FrameSum {
  uint32_t frame = 0;
  uint64_t self = 0;
  uint64_t total = 0;  // recursion counts once
};
// Of each frame at or below a node, with a total.
std::vector<FrameSum> frame_sums(const std::vector<PageNode>& nodes, const NodeSums& sums, uint32_t root,
                                 size_t frames);

// By frame, the weight of calls between a frame and its neighbours, heaviest first; kNoCaller is a thread's start. Of
// recursion, the innermost call counts.
inline constexpr uint32_t kNoCaller = UINT32_MAX;
struct Neighbours {
  std::vector<std::pair<uint32_t, uint64_t>> callers, callees;
};
Neighbours neighbours_of(const std::vector<PageNode>& nodes, const NodeSums& sums, uint32_t frame);

// What a search found below a node: the weight of stacks with a frame that it found, and how many frames.
struct Matches {
  uint64_t total = 0;
  size_t frames = 0;
};
Matches matches_of(const std::vector<PageNode>& nodes, const NodeSums& sums, uint32_t root,
                   const std::vector<bool>& found);

}  // namespace oriel::exports
