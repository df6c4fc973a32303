// The call tree of all samples, over frames instead of functions.
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "export/frames.h"

namespace oriel::exporting {

struct TreeNode {
  uint32_t parent = 0;
  uint32_t frame = 0;  // of the root: nothing
};

// Nodes in depth-first order, the root first; siblings in the order of their frames' names. A node's weights are its
// own, without those of its callees.
struct Tree {
  struct Self {
    uint32_t node = 0;
    uint64_t periods = 0;
    uint64_t second = 0;  // as of Weight, whose fields these are
    uint32_t group = 0;
    std::vector<std::pair<uint32_t, uint64_t>> parts = {};  // how many of the periods were in each part, by part
  };
  std::vector<TreeNode> nodes;
  std::vector<std::vector<Self>> threads;  // a thread's own weights, in the order of the nodes, then groups
  std::vector<uint32_t> of_node;           // by the profile's node: where it is; 0: nowhere, or in several places
};

// With `per_thread` each thread's stacks begin with a frame of its own, added to `frames`.
Tree make_tree(const profile::Profile& profile, FrameTable& frames, bool per_thread = false);

// Of these weights, those of a thread together.
Tree make_tree(const profile::Profile& profile, FrameTable& frames, std::span<const Weight> weights,
               bool per_thread = false);

}  // namespace oriel::exporting
