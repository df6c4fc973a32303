// A tree of the page, what can be made of it, and its JSON. viewer/10-data.js documents the JSON.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "exports/frames.h"
#include "exports/page_groups.h"
#include "exports/tree.h"

namespace oriel::exports {

struct PageNode {
  uint32_t parent = 0;
  uint32_t frame = 0;  // 0 for the root
  uint32_t group = 0;
};

// The weight of a node's own code in one thread and for one purpose.
struct PageWeight {
  uint32_t thread = 0;
  uint32_t node = 0;
  uint32_t group = 0;
  uint64_t self = 0;
  uint64_t second = 0;                                    // by a second measure, if there is one
  std::vector<std::pair<uint32_t, uint64_t>> parts = {};  // self by part of the run, in order, where times are wanted
};

struct PageTree {
  std::vector<PageNode> nodes;      // depth first; [0] is the root
  std::vector<PageWeight> weights;  // by thread, node and group
  std::vector<bool> scaffolding;    // by node: hidden unless it is asked for; its callees become its callers'
  bool has_second = false;
};

// By node, with what it calls.
std::vector<uint64_t> totals_of(const PageTree& tree);

// Marks scaffolding: .NET frames between a thread's start and the user's code, or between two parts of it, that do next
// to nothing else; and calls within a library without symbols.
void mark_scaffolding(const FrameTable& frames, const Groups& groups, PageTree& tree);

// Makes the nodes of another tree out of one's.
class Regrower {
 public:
  // The child with that frame, made if there is none yet.
  uint32_t child(uint32_t parent, uint32_t frame, uint32_t group);
  const PageNode& operator[](uint32_t node) const { return nodes_[node]; }

  // The nodes in depth-first order. Changes `places`, numbers of nodes here, to those of the result.
  std::vector<PageNode> finish(std::vector<uint32_t>& places) const;

 private:
  std::vector<PageNode> nodes_ = {{}};
  Children children_;
};

inline constexpr uint32_t kNoPlace = UINT32_MAX;

// Moves weights to other nodes, and adds up equal ones; those at kNoPlace are dropped. Without parts.
std::vector<PageWeight> moved(const std::vector<PageWeight>& weights, const std::vector<uint32_t>& places);

// Nodes of a tree without its scaffolding, and by node of the tree, its place there.
struct Folded {
  std::vector<PageNode> nodes;
  std::vector<uint32_t> places;
};
Folded without_scaffolding(const PageTree& tree);

// Folds what is too small for a page: callees with a total below `least` become one node with the frame `smaller`.
struct Bounded {
  PageTree tree;                 // its weights are without parts
  std::vector<uint32_t> places;  // by node of the whole tree
  uint64_t least = 0;            // 0: everything is there
  size_t folded = 0;             // nodes of the whole tree that are not
};
// Without parts, the tree's JSON has no more than about `most` numbers.
Bounded bounded(const PageTree& tree, uint32_t smaller, uint64_t most);

// Joins parts of weights that have more of them than their share of `most` for the tree, but leaves two at least. In a
// log of many samples there are many light weights with samples in nearly all parts, whose times need not be exact.
void bound_parts(PageTree& tree, uint64_t most);

std::string to_json(const PageTree& tree, bool has_times);

}  // namespace oriel::exports
