// The tree of sampled stacks with its weights, from which call_tree.h aggregates.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

struct SampleTree {
  std::vector<uint64_t> self;   // by node index: samples of exactly this stack
  std::vector<uint64_t> total;  // and of all stacks that extend it
};

SampleTree weigh(const Profile& profile);

// Children of each node: those of node i are ids[starts[i]] … ids[starts[i + 1] - 1].
struct Children {
  std::vector<uint32_t> starts;
  std::vector<uint32_t> ids;
};
Children children_of(const std::vector<Node>& nodes);

// By node index: whether no caller of the node has its function, so it is the outermost of a recursion. `functions` is
// the number of functions.
std::vector<bool> outermost_nodes(const std::vector<Node>& nodes, size_t functions);

}  // namespace oriel::profile
