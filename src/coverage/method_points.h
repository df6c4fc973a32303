// One method's lines and branches: its sequence points and conditions, with what was counted.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "coverage/conditions.h"
#include "pdb/pdb.h"

namespace oriel::coverage {

// What was counted at one place of a method, as il::CoveragePoint has it.
struct Counted {
  bool is_outcome = false;
  uint32_t il = 0;
  uint32_t which = 0;
  uint64_t count = 0;
};

// The counts of one method; nothing of one that never ran.
class Counts {
 public:
  // By rising `il`, runs before outcomes.
  explicit Counts(std::span<const Counted> points);
  // How often what is at the offset ran.
  uint64_t at(uint32_t il) const;
  uint64_t of(const Outcome& outcome) const;

 private:
  std::vector<Counted> runs_, outcomes_;
};

// What was counted of a part of a run, as of a test: of the places that `whole` has, none of which ran where `part`
// does not tell. A part names only what ran, and what runs on from one place to the next follows from the places of
// all.
std::vector<Counted> part_of(std::span<const Counted> whole, std::span<const Counted> part);

struct Statement {
  uint32_t document = 0;  // as the PDB counts them
  uint32_t line = 0;
  uint32_t end_line = 0;
  uint64_t count = 0;
};

std::vector<Statement> statements_of(std::span<const pdb::SequencePoint> points, const Counts& counts);

// Of each arm.
std::vector<uint64_t> counts_of(const Condition& condition, const Counts& counts);

}  // namespace oriel::coverage
