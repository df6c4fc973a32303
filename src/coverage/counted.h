// What was counted of methods, and what it says of their statements and conditions.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "coverage/conditions.h"
#include "pdb/pdb.h"
#include "profile/tables.h"

namespace oriel::coverage {

// The counts of one method; zero for one that never ran.
class Counts {
 public:
  Counts() = default;
  explicit Counts(std::span<const profile::CoverageHit> hits);
  // How often the code at the offset ran.
  uint64_t at(uint32_t il) const;
  uint64_t of(const Outcome& outcome) const;
  // Whether it was counted there, and not where a block with it begins.
  bool has(uint32_t il) const;
  bool any() const { return !runs_.empty(); }
  bool any_ran() const;
  // Where the runtime counted, it counted blocks, and not which way branches went.
  bool has_outcomes() const { return !outcomes_.empty(); }

 private:
  std::vector<profile::CoverageHit> runs_, outcomes_;
};

// Finds the counts of methods. A view of the tables of coverage, which must be in order.
class CountedCode {
 public:
  explicit CountedCode(const profile::Tables& tables);
  Counts of_method(uint32_t image, uint32_t row) const;
  // Whether it was counted how often code ran, and not only whether it did.
  bool has_times() const { return profile::has_counts(tables_.covered_images); }
  struct OfTest {
    const std::string& name;  // of tests that ran at the same time: all names, joined by '\n'
    Counts counts;
  };
  // Of the tests that ran the method, by name.
  std::vector<OfTest> of_tests(uint32_t image, uint32_t row) const;

 private:
  // An index of covered_methods, or their number if there is none.
  uint32_t find(uint32_t image, uint32_t row) const;

  const profile::Tables& tables_;
  std::vector<uint32_t> by_method_;  // indexes of covered_by_tests
};

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
