// What samples add up to: functions by themselves and with what they call, call trees from the threads' starts down
// and from a function up to its callers. All figures are sampling periods, or what Profile::unit says.
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
  uint64_t total = 0;            // samples with the function anywhere in the stack: recursion counts once
  uint64_t heaviest_call = 0;    // the largest part of total that one function which it calls stands for
  uint32_t heaviest_callee = 0;  // that function; 0 if it calls none
};

// Every function that a sample met; most self first, then most total.
// Valid until the samples change.
const std::vector<FunctionTotals>& function_totals(const Profile& profile);

// A node of an aggregated tree: samples of all threads whose stacks go this way.
struct CallNode {
  uint32_t function = 0;
  uint32_t parent = 0;
  uint64_t self = 0;          // samples that end here
  uint64_t total = 0;         // with those of all children
  uint64_t count = 0;         // of a weighed profile: calls of the node; objects or bytes (see Profile::node_counts) in
                              // it and all children. Of callers(): nothing
  uint64_t hidden_total = 0;  // of the children cut for their small share
  uint32_t hidden_children = 0;
  bool broken = false;  // function is 0, below the root: stands for callers that the stack walk did not reach
  // Where in the function its samples are, or who it calls is called: Places::positions with samples, where known.
  std::vector<std::pair<uint32_t, uint64_t>> positions;
  std::vector<uint32_t> children;  // indexes into nodes, most total first
};

struct CallTree {
  std::vector<CallNode> nodes;  // [0] is the root: the whole of the tree
  uint64_t hidden_nodes = 0;    // cut, each with all that was under it
};

// The call tree, callers above what they call; the root has no function. Stacks whose outermost callers are unknown are
// gathered under one broken node. Nodes with a total below `min_total` are cut.
CallTree call_tree(const Profile& profile, uint64_t min_total = 0);

// The inverted tree of one function: the root is the function with its total, its children are its callers, theirs
// below them. Self of a node are samples whose stacks begin there. A stack with the function more than once is followed
// from the innermost of them outwards; a call of the function by itself is no caller. The `at_least` direct callers
// with most samples are kept whatever their total.
CallTree callers(const Profile& profile, uint32_t function, uint64_t min_total = 0, size_t at_least = 0);

// The functions that a person may mean by `pattern`: those of exactly that name, with or without parameters, brackets
// ("[libc.so.6]") or the library behind it ("read [libc.so.6]"); if there are none, those with the pattern in their
// name. Most total first.
std::vector<FunctionTotals> matching_functions(const Profile& profile, std::string_view pattern);

}  // namespace oriel::profile
