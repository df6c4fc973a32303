// Which branches of a method's code are a person's: conditions, the arms of switches, '??', '?.', patterns, '&&'. What
// the compiler made up besides, for async methods, iterators, lambdas, 'using', 'lock' and 'foreach', is left out.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "il/body.h"
#include "pdb/pdb.h"

namespace oriel::coverage {

// One outcome of a branch, as il::CoveragePoint has it.
struct Outcome {
  uint32_t il = 0;
  uint32_t which = 0;
  bool operator==(const Outcome&) const = default;
};

struct Condition {
  uint32_t il = 0;     // of the branch; of several that are one decision, of the first
  uint32_t point = 0;  // index of the sequence point that it belongs to, which has a line
  // The ways on, two at least, those that fall through first. All outcomes of an arm lead to the same place.
  std::vector<std::vector<Outcome>> arms;
};

// What tokens in the code mean.
struct Member {
  std::string type;  // "System.String"
  std::string name;
};
struct CodeFacts {
  std::function<Member(uint32_t token)> member;  // of a method or field; empty if it is not known
  bool in_state_machine = false;
};

// By rising `il`. `points` are those of the method, by rising `il`. Numbers the body.
std::vector<Condition> conditions_of(il::Body& body, std::span<const pdb::SequencePoint> points,
                                     const CodeFacts& facts);

// Takes out the places of braces that nobody comes to: of a 'throw;' in a 'catch' with 'await' compilers make a call
// that does not come back, and the place behind it stays. Numbers the body.
void take_out_behind_rethrows(il::Body& body, const CodeFacts& facts, std::vector<pdb::SequencePoint>& points);

}  // namespace oriel::coverage
