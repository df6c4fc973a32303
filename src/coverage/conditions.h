// Finds the branches in a method's code that are in its source: conditions, switch arms, '??', '?.', patterns, '&&'.
// Branches that the compiler generates for async methods, iterators, lambdas, 'using', 'lock' and 'foreach' are left
// out.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "il/body.h"
#include "pdb/pdb.h"

namespace oriel::coverage {

// An outcome of a branch, as in il::CoveragePoint.
struct Outcome {
  uint32_t il = 0;
  uint32_t which = 0;
  bool operator==(const Outcome&) const = default;
};

struct Condition {
  uint32_t il = 0;     // of the branch; of the first, if several make one decision
  uint32_t point = 0;  // index of its sequence point, which has a line
  // At least two; fall-through first. All outcomes of an arm have the same target.
  std::vector<std::vector<Outcome>> arms;
};

// Resolves tokens in the code.
struct Member {
  std::string type;  // "System.String"
  std::string name;
};
struct CodeFacts {
  std::function<Member(uint32_t token)> member;  // of a method or field; empty if not known
  bool in_state_machine = false;
};

// By ascending `il`. `points` are the method's, by ascending `il`. Numbers the body.
std::vector<Condition> conditions_of(il::Body& body, std::span<const pdb::SequencePoint> points,
                                     const CodeFacts& facts);

// Removes unreachable points of closing braces: for 'throw;' in a 'catch' with 'await', compilers emit a call that does
// not return, and keep the point after it. Numbers the body.
void remove_points_after_rethrows(il::Body& body, const CodeFacts& facts, std::vector<pdb::SequencePoint>& points);

}  // namespace oriel::coverage
