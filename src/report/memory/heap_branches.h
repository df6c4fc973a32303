// The tree of dominators of a snapshot as people read it: objects of one type behind one field are one branch.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "report/memory/heap_data.h"

namespace oriel::report {

// All roots, a group of roots, an object that retains much, or smaller objects of one type in one place of the branch
// above.
struct HeapBranch {
  static constexpr uint32_t kNoType = UINT32_MAX;
  std::string name;         // of the type or the root
  std::string place;        // by which the branch above refers to it: "_entries"; "" if none does, or not known
  uint32_t type = kNoType;  // of an object: index into the graph's types
  uint64_t objects = 0;     // 0 for roots
  uint64_t bytes = 0;       // of these objects alone
  uint64_t retained = 0;    // bytes, their own included
  uint64_t others = 0;      // objects and groups of roots right below it, but in no branch: too small, or too deep
  uint64_t rest = 0;        // bytes that these retain
  bool repeats = false;     // objects of the type follow one another: lists, trees
  std::vector<HeapBranch> below = {};  // by what they retain, descending
};

// "_entries: Shop.Cart[]"
std::string branch_text(const HeapBranch& branch);

// The bytes from which something has a branch: an object of its own, and objects that have one together.
struct BranchBounds {
  uint64_t alone = 1;
  uint64_t least = 1;
};

// The branch of all roots, of a graph that is loaded. At each branch: retained = bytes + rest + what those below
// retain.
HeapBranch heap_branches(const HeapData& data, const profile::Profile& profile, const BranchBounds& bounds);

// Keeps the `most` branches that retain most; the others become the rest of the branch above. Returns what the largest
// of those that went retains, 0 if none did.
uint64_t keep_largest(HeapBranch& all, size_t most);

}  // namespace oriel::report
