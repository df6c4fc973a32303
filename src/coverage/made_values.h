// What a branch asks about: a value that a person's code made, or one that only the compiler knows of.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "coverage/conditions.h"
#include "il/body.h"

namespace oriel::coverage {

class MadeValues {
 public:
  MadeValues(const std::vector<il::Instruction*>& order, const CodeFacts& facts);

  // Whether the branch asks only about what the compiler made: the state of a state machine, whether an awaited task is
  // done already, whether a lambda was made before, a constant.
  bool asks_about_made(const il::Instruction& branch) const;
  // Whether it asks, where a 'try' has been left, which of its handlers ran, as a state machine does that awaits in
  // them: of a local variable that only constants are stored in, one of them before a 'leave'.
  bool asks_where_it_left(const il::Instruction& branch) const;
  // Whether it asks whether two texts are the same.
  bool asks_about_text(const il::Instruction& branch) const;
  // Whether it asks about the length, a character or the hash of a text, or what was made of that.
  bool asks_about_part_of_text(const il::Instruction& branch) const;

 private:
  enum class Kind { kMade, kConstant, kPartOfText, kOther };
  // The instructions that make the values that `at` takes, back to where nothing of them is on the stack; nothing if
  // that is not to be seen without following branches.
  std::optional<std::vector<const il::Instruction*>> makers(const il::Instruction& at) const;
  Kind kind_of(const il::Instruction& maker, int depth) const;
  Kind kind_of_field(const Member& field) const;
  Kind kind_of_call(const Member& method) const;
  Kind kind_of_all(const std::vector<const il::Instruction*>& makers, int depth = 0) const;
  // The store whose value a load gives, as far as that is seen without following branches; null if it is not.
  const il::Instruction* store_before(const il::Instruction& load) const;
  void learn_locals();

  const std::vector<il::Instruction*>& order_;
  const CodeFacts& facts_;
  std::vector<const il::Instruction*> targets_;  // of branches, in the order of their addresses
  std::vector<const il::Instruction*> left_to_;  // where 'leave' goes, likewise
  std::set<uint32_t> made_, parts_of_text_;      // local variables
  std::set<uint32_t> tell_where_it_left_;        // likewise
};

}  // namespace oriel::coverage
