#include "exports/page_zoom.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace oriel::exports {
namespace {

uint64_t least_drawn(uint64_t total) {
  return std::max<uint64_t>(1, static_cast<uint64_t>(std::ceil(static_cast<double>(total) * kLeastDrawn)));
}

// A node on the way whose small callees are to be seen: by the bounds that were opened, each lower than the one before.
struct Opened {
  std::vector<uint64_t> bounds;
  uint64_t least = 0;  // what is folded of those below the last bound
};

class Zoom {
 public:
  Zoom(const std::vector<PageNode>& nodes, const std::vector<uint64_t>& totals, uint32_t smaller)
      : nodes_(nodes), totals_(totals), smaller_(smaller), is_kept_(nodes.size()), least_(nodes.size()) {}

  ZoomedTree tree(const std::vector<ZoomStep>& way) {
    made_.places.resize(nodes_.size());
    follow(way);
    is_kept_[0] = true;
    least_[0] = least_drawn(totals_[0]);
    for (uint32_t i = 1; i < nodes_.size(); ++i) place(i);
    std::vector<uint32_t> small;
    for (const auto& [node, its] : small_) small.push_back(node);
    made_.nodes = regrower_.finish(made_.places);
    std::vector<uint32_t> places = small;
    regrower_.finish(places);
    for (size_t i = 0; i < small.size(); ++i) {
      made_.smaller.push_back(small_[small[i]]);
      made_.smaller.back().node = places[i];
    }
    return std::move(made_);
  }

 private:
  void follow(const std::vector<ZoomStep>& way) {
    const std::vector<uint32_t> ends = ends_of(nodes_);
    const auto callee = [&](uint32_t caller, uint32_t frame) -> uint32_t {
      for (uint32_t i = caller + 1; i < ends[caller]; i = ends[i])
        if (nodes_[i].frame == frame) return i;
      return 0;
    };
    for (const ZoomStep& step : way) {
      if (step.least > 0) {
        opened_[made_.zoomed].bounds.push_back(step.least);
        continue;
      }
      const uint32_t next = callee(made_.zoomed, step.frame);
      if (next == 0) break;
      made_.zoomed = next;
      on_way_.push_back(next);
    }
    for (auto& [node, its] : opened_) {
      uint64_t total = 0;
      for (uint32_t i = node + 1; i < ends[node]; i = ends[i])
        if (totals_[i] < its.bounds.back()) total += totals_[i];
      its.least = least_drawn(total);
    }
  }

  uint32_t small_of(uint32_t parent, uint32_t group, uint64_t least) {
    const uint32_t node = regrower_.child(parent, smaller_, group);
    small_[node].least = least;
    return node;
  }

  void place(uint32_t i) {
    const uint32_t caller = nodes_[i].parent;
    uint32_t at = made_.places[caller];
    // What has no weight that counts is not drawn; its other weights are its caller's.
    if (!is_kept_[caller] || totals_[i] == 0) {
      made_.places[i] = at;
      return;
    }
    uint64_t least = least_[caller], inherited = least;
    if (const auto opened = opened_.find(caller); opened != opened_.end()) {
      least = 0;  // what the bounds leave is not folded
      for (const uint64_t bound : opened->second.bounds) {
        if (totals_[i] >= bound) break;
        at = small_of(at, nodes_[caller].group, bound);
        if (bound == opened->second.bounds.back()) least = inherited = opened->second.least;
      }
    }
    is_kept_[i] = totals_[i] >= least || std::ranges::find(on_way_, i) != on_way_.end();
    if (is_kept_[i]) {
      made_.places[i] = regrower_.child(at, nodes_[i].frame, nodes_[i].group);
      least_[i] = i == made_.zoomed ? least_drawn(totals_[i]) : inherited;
    } else {
      made_.places[i] = small_of(at, nodes_[caller].group, least);
      ++small_[made_.places[i]].callees;
    }
  }

  const std::vector<PageNode>& nodes_;
  const std::vector<uint64_t>& totals_;
  const uint32_t smaller_;
  ZoomedTree made_;
  Regrower regrower_;
  std::vector<bool> is_kept_;
  std::vector<uint64_t> least_;  // by node that is kept: callees below this are folded
  std::vector<uint32_t> on_way_;
  std::map<uint32_t, Opened> opened_;  // by node
  std::map<uint32_t, Smaller> small_;  // by node that was made
};

}  // namespace

std::vector<uint32_t> ends_of(const std::vector<PageNode>& nodes) {
  std::vector<uint32_t> ends(nodes.size());
  for (auto i = static_cast<uint32_t>(nodes.size()); i-- > 0;) {
    ends[i] = std::max(ends[i], i + 1);
    if (i > 0) ends[nodes[i].parent] = std::max(ends[nodes[i].parent], ends[i]);
  }
  return ends;
}

ZoomedTree zoomed(const std::vector<PageNode>& nodes, const std::vector<uint64_t>& totals,
                  const std::vector<ZoomStep>& way, uint32_t smaller) {
  return Zoom(nodes, totals, smaller).tree(way);
}

}  // namespace oriel::exports
