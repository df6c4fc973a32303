// What of a tree can be drawn: what is too small is folded into one node for each caller, and opened by zooming.
#pragma once

#include <cstdint>
#include <vector>

#include "exports/page_tree.h"

namespace oriel::exports {

// A step of the way from the root to the zoomed node: to the callee with that frame, or, with `least`, into the node of
// callees whose totals are below that.
struct ZoomStep {
  uint32_t frame = 0;
  uint64_t least = 0;
};

struct Smaller {
  uint32_t node = 0;
  uint64_t least = 0;  // those that it stands for have totals below this
  uint32_t callees = 0;
};

struct ZoomedTree {
  std::vector<PageNode> nodes;
  std::vector<uint32_t> places;  // by node of the whole tree
  std::vector<Smaller> smaller;
  uint32_t zoomed = 0;  // in the whole tree: how far the way leads to a node
};

// Callees below this part of the zoomed node are folded; on the way to it, those below this part of the root.
inline constexpr double kLeastDrawn = 0.0005;

// `totals` by node. A way that leads nowhere is followed as far as it does.
ZoomedTree zoomed(const std::vector<PageNode>& nodes, const std::vector<uint64_t>& totals,
                  const std::vector<ZoomStep>& way, uint32_t smaller);

// By node, the end of its descendants, which follow it.
std::vector<uint32_t> ends_of(const std::vector<PageNode>& nodes);

}  // namespace oriel::exports
