// What the roots reach.
#pragma once

#include <vector>

#include "heap/root_order.h"

namespace oriel::heap {

// By object: whether a root keeps it alive. The others are garbage that is not collected yet.
std::vector<bool> reached_objects(const Graph& graph, const std::vector<OrderedRoots>& roots);

}  // namespace oriel::heap
