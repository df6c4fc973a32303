// The --tree of logged calls and of allocations.
#pragma once

#include <ostream>

#include "report/common.h"

namespace oriel::report {

// Below a title that stands already; notes what is hidden.
void write_weighed(const profile::Profile& weighed, const Options& options, std::ostream& out);

// Adds "unit", "total", "hidden_nodes" and "children".
void add_weighed(const profile::Profile& weighed, const Options& options, Json& json);

}  // namespace oriel::report
