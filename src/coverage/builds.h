// Merges several builds of one assembly, such as for several target frameworks: they have the same sources.
#pragma once

#include <cstdint>
#include <vector>

#include "coverage/coverage.h"

namespace oriel::coverage {

// Merges assemblies that share a name and sources, and their equal types and methods; counts are added. Call it before
// join_lines. Returns each old method's new index.
std::vector<uint32_t> join_builds(Coverage& coverage);

}  // namespace oriel::coverage
