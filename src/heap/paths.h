// The paths from roots to the objects of a type, those that go through the same fields as one.
#pragma once

#include <cstdint>
#include <vector>

#include "heap/holders.h"

namespace oriel::heap {

// A step of merged paths. A path is a shortest one from the strongest roots that reach the object.
struct PathStep {
  static constexpr uint32_t kNoType = UINT32_MAX;
  uint32_t parent = 0;      // index of the step before it; the first step is before all roots
  uint32_t root = 0;        // of a group of roots: its index (log::group_roots)
  uint32_t type = kNoType;  // of an object: index into the snapshot's types; kNoType: a group of roots
  uint8_t place = 0;        // the place of the step before it that leads here
  bool repeats = false;     // objects of the type follow one another here: lists, trees
  uint64_t objects = 0;     // of the types that were asked about, here and below
  uint64_t bytes = 0;       // of these
};

// The steps that lead to objects of the types, each after its parent; the first stands for all of them. `alike` says
// for each group of roots the first one that a reader cannot tell from it; empty: all differ.
std::vector<PathStep> merged_paths(const Graph& graph, const ChosenTypes& types,
                                   const std::vector<uint32_t>& alike = {});

}  // namespace oriel::heap
