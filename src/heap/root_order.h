// The roots of a snapshot in the order in which they are followed.
#pragma once

#include <cstdint>
#include <vector>

#include "heap/graph.h"
#include "log/heap_roots.h"

namespace oriel::heap {

// A group of roots with the objects that it refers to.
struct OrderedRoots {
  uint32_t group = 0;
  log::HeapRootStrength strength = log::HeapRootStrength::kHandle;
  std::vector<uint32_t> objects;
};

// Strongest first, without those that keep nothing. An object to which several groups of one strength refer is only
// that of the first: a method's argument is its callers' local variable too.
std::vector<OrderedRoots> order_roots(const Graph& graph, const log::HeapRootGroups& groups);

}  // namespace oriel::heap
