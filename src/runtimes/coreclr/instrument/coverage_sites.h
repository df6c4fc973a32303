// Where coverage of a method is counted: at the points of the body that the metadata has, which tools read too, also in
// a body that profilers made of it.
#pragma once

#include <span>
#include <vector>

#include "engine/coverage/covered.h"
#include "il/body.h"
#include "il/probes/coverage_points.h"
#include "il/stack.h"
#include "runtimes/coreclr/com/profiling.h"
#include "runtimes/coreclr/names/module_metadata.h"

namespace oriel::coreclr {

struct CoverageSites {
  coverage::Places places;
  // The same points where they are in the body at hand. What a profiler took out, or made another branch of, is not
  // among them.
  std::vector<il::CoveragePoint> here;
};

// `body` as it was decoded, whose facts these are; `in_metadata` the one that it was made of, and `moves` where the
// instructions of that are, by rising offset: none, if it is the same.
CoverageSites find_coverage_sites(const ModuleMetadata& metadata, const MethodDefinition& definition, il::Body& body,
                                  const il::MethodFacts& facts, std::span<const uint8_t> in_metadata,
                                  std::span<const IlMapEntry> moves);

}  // namespace oriel::coreclr
