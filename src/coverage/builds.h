// Several builds of one assembly, as for several target frameworks: to a person they are one source.
#pragma once

#include <cstdint>
#include <vector>

#include "coverage/coverage.h"

namespace oriel::coverage {

// Makes one of the assemblies that have a name and sources in common, and of their types and methods that are the same,
// with what ran of each added up. Before lines are joined. Gives, for each method that there was, which it is now.
std::vector<uint32_t> join_builds(Coverage& coverage);

}  // namespace oriel::coverage
