// The --tree of logged calls and of allocations.
#pragma once

#include <ostream>

#include "profile/weight.h"
#include "report/common.h"

namespace oriel::report {

// The trees of a call graph show recursion folded up, as one method on one way; those of other logs each call where it
// was.
profile::Recursion shown_recursion(const profile::Profile& profile);

// Below a title that stands already; notes what is hidden.
void write_weighed(const profile::Profile& weighed, const Options& options, std::ostream& out);

// Adds "unit", "total", "hidden_nodes" and "nodes" (tree_rows_json).
void add_weighed(const profile::Profile& weighed, const Options& options, Json& json);

}  // namespace oriel::report
