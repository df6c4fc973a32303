#include "exports/tree.h"

#include <algorithm>
#include <tuple>
#include <utility>

namespace oriel::exports {
namespace {

class TreeBuilder {
 public:
  TreeBuilder() { nodes_.push_back({}); }

  uint32_t child(uint32_t parent, uint32_t frame) {
    const auto next = static_cast<uint32_t>(nodes_.size());
    const uint32_t node = children_.find_or_add(parent, frame, next);
    if (node == next) nodes_.push_back({parent, frame});
    return node;
  }

  // Puts the nodes in depth-first order; returns each old node's new index.
  std::vector<uint32_t> order(const FrameTable& frames, std::vector<TreeNode>& ordered) const {
    std::vector<std::vector<uint32_t>> below(nodes_.size());
    for (uint32_t i = 1; i < nodes_.size(); ++i) below[nodes_[i].parent].push_back(i);
    // Descending by name, because the stack reverses the order.
    const auto later = [&](uint32_t a, uint32_t b) {
      const Frame& first = frames.frames[nodes_[a].frame];
      const Frame& second = frames.frames[nodes_[b].frame];
      return std::tie(first.name, first.module, first.kind) > std::tie(second.name, second.module, second.kind);
    };
    for (auto& children : below) std::sort(children.begin(), children.end(), later);

    std::vector<uint32_t> place(nodes_.size());
    std::vector<uint32_t> open = {0};
    while (!open.empty()) {
      const uint32_t node = open.back();
      open.pop_back();
      place[node] = static_cast<uint32_t>(ordered.size());
      ordered.push_back({place[nodes_[node].parent], nodes_[node].frame});
      open.insert(open.end(), below[node].begin(), below[node].end());
    }
    return place;
  }

 private:
  std::vector<TreeNode> nodes_;
  Children children_;
};

// Maps nodes of the profile to tree nodes below a given one.
class Grafter {
 public:
  Grafter(const profile::Profile& profile, const FrameTable& frames, TreeBuilder& builder)
      : profile_(profile), frames_(frames), builder_(builder), known_(profile.nodes.size(), 0) {}

  void hang_from(uint32_t root) {
    root_ = root;
    std::fill(known_.begin(), known_.end(), 0);
  }

  uint32_t graft(uint32_t node) {
    if (node == 0) return builder_.child(root_, frames_.no_stack);
    path_.clear();
    while (node != 0 && known_[node] == 0) {
      path_.push_back(node);
      node = profile_.nodes[node].parent;
    }
    uint32_t at = node == 0 ? root_ : known_[node];
    // Only an outermost frame can be truncated.
    if (node == 0 && profile_.nodes[path_.back()].truncated) at = builder_.child(at, frames_.truncated);
    for (auto step = path_.rbegin(); step != path_.rend(); ++step) {
      at = builder_.child(at, frames_.of_function[profile_.nodes[*step].function]);
      known_[*step] = at;
    }
    return at;
  }

  // By node of the profile, since the last hang_from: its tree node; 0 if not used.
  const std::vector<uint32_t>& known() const { return known_; }

 private:
  const profile::Profile& profile_;
  const FrameTable& frames_;
  TreeBuilder& builder_;
  uint32_t root_ = 0;
  std::vector<uint32_t> known_;  // by node of the profile; 0: not made yet
  std::vector<uint32_t> path_;
};

// Sorts by node and group, and sums equal ones.
void merge(std::vector<Tree::Self>& weights) {
  const auto key = [](const Tree::Self& weight) { return std::pair(weight.node, weight.group); };
  std::ranges::sort(weights, {}, key);
  size_t kept = 0;
  for (const Tree::Self& weight : weights) {
    if (kept > 0 && key(weights[kept - 1]) == key(weight)) {
      weights[kept - 1].periods += weight.periods;
      weights[kept - 1].second += weight.second;
    } else {
      weights[kept++] = weight;
    }
  }
  weights.resize(kept);
}

}  // namespace

Tree make_tree(const profile::Profile& profile, FrameTable& frames, bool per_thread) {
  return make_tree(profile, frames, sum_samples(profile), per_thread);
}

Tree make_tree(const profile::Profile& profile, FrameTable& frames, std::span<const Weight> weights, bool per_thread) {
  Tree tree;
  tree.threads.resize(profile.threads.size());
  TreeBuilder builder;
  Grafter grafter(profile, frames, builder);
  const std::vector<std::string> labels = per_thread ? thread_labels(profile) : std::vector<std::string>();
  uint32_t thread = UINT32_MAX;
  for (const Weight& weight : weights) {
    if (per_thread && weight.thread != thread) {
      thread = weight.thread;
      frames.frames.push_back({labels[thread], "", "", FrameKind::kManaged});
      grafter.hang_from(builder.child(0, static_cast<uint32_t>(frames.frames.size() - 1)));
    }
    tree.threads[weight.thread].push_back({grafter.graft(weight.node), weight.periods, weight.second, weight.group});
  }
  const std::vector<uint32_t> place = builder.order(frames, tree.nodes);
  for (auto& own : tree.threads) {
    for (Tree::Self& weight : own) weight.node = place[weight.node];
    merge(own);
  }
  tree.of_node.resize(profile.nodes.size());
  if (!per_thread)
    for (size_t i = 0; i < tree.of_node.size(); ++i) tree.of_node[i] = place[grafter.known()[i]];
  return tree;
}

}  // namespace oriel::exports
