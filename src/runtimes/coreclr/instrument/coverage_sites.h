// Where a method's coverage is counted: at the points of the metadata's body, which tools read too, even if profilers
// have changed the body.
#pragma once

#include <span>
#include <vector>

#include "engine/hits/covered.h"
#include "il/body.h"
#include "il/probes/coverage_points.h"
#include "il/stack.h"
#include "runtimes/coreclr/com/profiling.h"
#include "runtimes/coreclr/names/module_metadata.h"

namespace oriel::coreclr {

struct CoverageSites {
  hits::Places places;
  // The same points at their places in the current body, without those that a profiler removed or replaced by a
  // different branch.
  std::vector<il::CoveragePoint> here;
};

// `body` is the decoded body, with its facts. `in_metadata` is the body that it was made from, and `moves` maps the
// offsets of its instructions, in ascending order; empty if the two are the same.
CoverageSites find_coverage_sites(const ModuleMetadata& metadata, const MethodDefinition& definition, il::Body& body,
                                  const il::MethodFacts& facts, std::span<const uint8_t> in_metadata,
                                  std::span<const IlMapEntry> moves);

}  // namespace oriel::coreclr
