// Whether a branch tests a value from source code or one that the compiler introduced.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "coverage/conditions.h"
#include "il/body.h"

namespace oriel::coverage {

class GeneratedValues {
 public:
  GeneratedValues(const std::vector<il::Instruction*>& order, const CodeFacts& facts);

  // Whether the branch tests only compiler-generated values: a state machine's state, completion of an awaited task, a
  // cached lambda, a constant.
  bool tests_generated_value(const il::Instruction& branch) const;
  // Whether the branch, after a 'try', tests which handler was left, as state machines do that await in handlers: a
  // local variable that only holds constants, at least one of them stored before a 'leave'.
  bool tests_left_handler(const il::Instruction& branch) const;
  // Whether the branch tests strings for equality.
  bool tests_string_equality(const il::Instruction& branch) const;
  // Whether the branch tests a string's length, character or hash, or a value derived from these.
  bool tests_string_part(const il::Instruction& branch) const;

 private:
  enum class Kind { kMade, kConstant, kPartOfText, kOther };
  // The instructions that compute the operands of `at`, back to an empty stack; nullopt if that would require following
  // branches.
  std::optional<std::vector<const il::Instruction*>> makers(const il::Instruction& at) const;
  Kind kind_of(const il::Instruction& maker, int depth) const;
  Kind kind_of_field(const Member& field) const;
  Kind kind_of_call(const Member& method) const;
  Kind kind_of_all(const std::vector<const il::Instruction*>& makers, int depth = 0) const;
  // The store that a load reads from; null if that cannot be seen without following branches.
  const il::Instruction* store_before(const il::Instruction& load) const;
  void learn_locals();

  const std::vector<il::Instruction*>& order_;
  const CodeFacts& facts_;
  std::vector<const il::Instruction*> targets_;  // branch targets, sorted by address
  std::vector<const il::Instruction*> left_to_;  // targets of 'leave', sorted by address
  std::set<uint32_t> made_, parts_of_text_;      // local variables
  std::set<uint32_t> handler_selectors_;         // local variables
};

}  // namespace oriel::coverage
