// Validation of a body's links, and the nesting of its protected regions.
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "il/body.h"

namespace oriel::il {

// Numbers the body. Refuses what encode() could not write: an empty body, an invalid edit, a branch or a clause's
// boundary outside the body, a region that ends before it begins.
Status check_links(Body& body);

enum class RegionKind : uint8_t { kTry, kCatch, kFilter, kFinally, kFault };

inline constexpr uint32_t kNoRegion = 0xffffffff;

// Bounds are indexes (Instruction::index), the end exclusive.
struct Region {
  uint32_t begin;
  uint32_t end;
  RegionKind kind;
  uint32_t clause;  // the last of the clauses with the same try
  uint32_t parent = kNoRegion;
};

struct RegionTree {
  std::vector<Region> regions;   // outer before inner
  std::vector<uint32_t> inside;  // by index: the innermost region of each instruction, or kNoRegion

  uint32_t region_of(const Instruction& instruction) const { return inside[instruction.index()]; }
};

// For a body with valid links (check_links); numbers it. Refuses empty and overlapping regions, and clauses not in the
// order inner before outer. Clauses with the same try block share its region.
Result<RegionTree> find_regions(Body& body);

}  // namespace oriel::il
