// The call tree of all samples, with frames instead of functions.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "exports/frames.h"
#include "profile/hashed_rows.h"

namespace oriel::exports {

struct TreeNode {
  uint32_t parent = 0;
  uint32_t frame = 0;  // 0 for the root
};

// The children of a tree that grows, by parent and frame.
class Children {
 public:
  // The child; `next`, if there was none yet.
  uint32_t find_or_add(uint32_t parent, uint32_t frame, uint32_t next) {
    return rows_[rows_.find_or_add({parent, frame, next})].node;
  }

 private:
  struct Row {
    uint32_t parent = 0;
    uint32_t frame = 0;
    uint32_t node = 0;
    uint64_t hash() const { return profile::mix(parent, frame); }
    bool same(const Row& other) const { return parent == other.parent && frame == other.frame; }
  };
  profile::HashedRows<Row> rows_;
};

// Nodes in depth-first order, the root first; siblings in the order of their frames' names. Weights are self weights.
struct Tree {
  struct Self {
    uint32_t node = 0;
    uint64_t periods = 0;
    uint64_t second = 0;  // this and group as in Weight
    uint32_t group = 0;
  };
  std::vector<TreeNode> nodes;
  std::vector<std::vector<Self>> threads;  // by thread: self weights, ordered by node, then group
  std::vector<uint32_t> of_node;           // by node of the profile: its tree node; 0 if it has none, or several
};

// With `per_thread`, each thread's stacks start with a frame for the thread, which is added to `frames`.
Tree make_tree(const profile::Profile& profile, FrameTable& frames, bool per_thread = false);

// From these weights, which must be grouped by thread.
Tree make_tree(const profile::Profile& profile, FrameTable& frames, std::span<const Weight> weights,
               bool per_thread = false);

}  // namespace oriel::exports
