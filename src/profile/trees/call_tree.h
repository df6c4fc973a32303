// Aggregated samples: self and total by function, call trees from the threads' starts, and inverted trees from a
// function to its callers. Figures are in Profile::unit, by default sampling periods.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "profile/profile.h"

namespace oriel::profile {

struct FunctionTotals {
  uint32_t function = 0;         // index into functions
  uint64_t self = 0;             // samples in the function itself
  uint64_t total = 0;            // samples with the function in the stack; recursion counts once
  uint64_t heaviest_call = 0;    // the largest share of total that went through one callee
  uint32_t heaviest_callee = 0;  // that callee; 0 if it calls none
};

// All sampled functions, by self, then total, descending. Valid until the samples change.
const std::vector<FunctionTotals>& function_totals(const Profile& profile);

// A node of an aggregated tree: samples of all threads that have this call path.
struct CallNode {
  uint32_t function = 0;
  uint32_t parent = 0;
  uint64_t self = 0;          // samples that end here
  uint64_t total = 0;         // with those of all children
  uint64_t count = 0;         // in a weighed profile: calls of the node; objects or bytes (see Profile::node_counts) of
                              // it and its descendants. 0 in callers()
  uint64_t hidden_total = 0;  // of children that were cut for their small share
  uint32_t hidden_children = 0;
  bool broken = false;  // function is 0, below the root: stands for callers that the stack walk did not reach
  // Known positions (Places::positions) in the function of its samples and of its calls to children, with samples.
  std::vector<std::pair<uint32_t, uint64_t>> positions;
  std::vector<uint32_t> children;  // indexes into nodes, by total, descending
};

struct CallTree {
  std::vector<CallNode> nodes;  // [0] is the root, with the total of the tree
  uint64_t hidden_nodes = 0;    // cut nodes, each cut with its subtree
};

// The call tree, from callers to callees; the root has no function. Stacks whose outermost callers are unknown are
// gathered under one broken node. Nodes with a total below `min_total` are cut.
CallTree call_tree(const Profile& profile, uint64_t min_total = 0);

// The inverted tree of one function: the root is the function with its total, its children are its callers, and so on.
// A node's self counts samples whose stacks start there. Where the function is in a stack more than once, the innermost
// is followed outwards; a direct recursive call does not count as a caller. The `at_least` heaviest direct callers are
// kept whatever their total.
CallTree callers(const Profile& profile, uint32_t function, uint64_t min_total = 0, size_t at_least = 0);

// The functions that `pattern` selects: those of exactly that name, with or without parameters, brackets
// ("[libc.so.6]") or a library suffix ("read [libc.so.6]"); if there are none, those whose name contains the pattern.
// By total, descending.
std::vector<FunctionTotals> matching_functions(const Profile& profile, std::string_view pattern);

}  // namespace oriel::profile
