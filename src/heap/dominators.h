// What the roots reach, and what each object retains: the objects that would be free without it.
//
// An object that several kinds of roots reach counts for the strongest (log::HeapRootStrength): what a static field
// holds is the field's, though a method's local variable refers to it for a moment. So references from what only weaker
// roots reach to what stronger ones reach do not count.
#pragma once

#include <cstdint>
#include <vector>

#include "heap/graph.h"
#include "log/heap_roots.h"

namespace oriel::heap {

// The tree of dominators. Its nodes are numbered so that a dominator comes before what it dominates: 0 is above all
// roots, the others are groups of roots and the objects that these reach.
struct Dominators {
  std::vector<log::HeapRootGroup> roots;
  uint32_t objects = 0;               // of the graph
  std::vector<uint32_t> nodes;        // by number: an object, or objects + the index of a group of roots
  std::vector<uint32_t> numbers;      // by object: its number; 0: nothing reaches it
  std::vector<uint32_t> dominators;   // by number: the number of its dominator
  std::vector<uint64_t> retained;     // by number: bytes, its own included
  std::vector<uint32_t> first_child;  // by number, 0: none
  std::vector<uint32_t> next_child;   // by number: the next of the same dominator, 0: none

  uint32_t size() const { return static_cast<uint32_t>(nodes.size()); }
  bool is_object(uint32_t number) const { return number != 0 && nodes[number] < objects; }
  bool is_root(uint32_t number) const { return number != 0 && nodes[number] >= objects; }
  // Of a group of roots: its index.
  uint32_t root(uint32_t number) const { return nodes[number] - objects; }
};

// Takes about 60 bytes an object while it runs, and 36 afterwards.
Dominators dominators_of(const Graph& graph);

// The objects of a type.
struct TypeFigures {
  uint64_t objects = 0;  // that are reached
  uint64_t bytes = 0;
  uint64_t retained = 0;     // by all of them together
  uint64_t unreachable = 0;  // objects that nothing reaches: garbage that is not collected yet
  uint64_t unreachable_bytes = 0;
};
// By index into the snapshot's types.
std::vector<TypeFigures> type_figures(const Graph& graph, const Dominators& dominators);

}  // namespace oriel::heap
