// The --tree of logged calls and of allocations.
#pragma once

#include <ostream>

#include "report/common.h"

namespace oriel::report {

// What the trees of a call graph show: recursion folded up, as one method on one way. Other logs have each call where
// it was, and are returned as they are.
profile::Profile folded_graph(const profile::Profile& profile);

// Below a title that stands already; notes what is hidden.
void write_weighed(const profile::Profile& weighed, const Options& options, std::ostream& out);

// Adds "unit", "total", "hidden_nodes" and "nodes" (tree_rows_json).
void add_weighed(const profile::Profile& weighed, const Options& options, Json& json);

}  // namespace oriel::report
