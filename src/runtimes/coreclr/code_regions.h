// Where a function's native code lies.
#pragma once

#include <vector>

#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// All regions of all native versions (tiers, on-stack replacements) of one IL version of a function. Each region comes
// with the start address of the version it belongs to.
struct CodeRegion {
  uintptr_t version_start;
  CodeInfo code;
};
std::vector<CodeRegion> code_regions(ProfilerInfo& info, FunctionID function, ReJITID version);

// Where those native versions start.
std::vector<uintptr_t> code_versions(ProfilerInfo& info, FunctionID function, ReJITID version);

// The region that has the address, of size 0 if none has; one byte at the address if the runtime tells no regions.
CodeInfo code_region_at(ProfilerInfo& info, FunctionID function, ReJITID version, uintptr_t address);

}  // namespace oriel::coreclr
