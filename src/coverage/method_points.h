// Lines and branches of one method, from its sequence points, conditions and counts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "coverage/conditions.h"
#include "pdb/pdb.h"

namespace oriel::coverage {

// The count of one point of a method, as in il::CoveragePoint.
struct Counted {
  bool is_outcome = false;
  uint32_t il = 0;
  uint32_t which = 0;
  uint64_t count = 0;
};

// The counts of one method; zero for one that never ran.
class Counts {
 public:
  // By ascending `il`, runs before outcomes.
  explicit Counts(std::span<const Counted> points);
  // How often the code at the offset ran.
  uint64_t at(uint32_t il) const;
  uint64_t of(const Outcome& outcome) const;

 private:
  std::vector<Counted> runs_, outcomes_;
};

// Completes the counts of a part of a run, such as a test: points in `whole` that `part` lacks get 0. A part lists only
// points that ran, but the count at an offset is that of the nearest point before it.
std::vector<Counted> part_of(std::span<const Counted> whole, std::span<const Counted> part);

struct Statement {
  uint32_t document = 0;  // in the PDB
  uint32_t line = 0;
  uint32_t end_line = 0;
  uint64_t count = 0;
};

std::vector<Statement> statements_of(std::span<const pdb::SequencePoint> points, const Counts& counts);

// By arm.
std::vector<uint64_t> counts_of(const Condition& condition, const Counts& counts);

}  // namespace oriel::coverage
