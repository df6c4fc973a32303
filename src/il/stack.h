// How deep the evaluation stack gets.
#pragma once

#include <cstdint>
#include <vector>

#include "base/status.h"
#include "il/body.h"
#include "il/facts.h"

namespace oriel::il {

inline constexpr int32_t kUnknownDepth = -1;

struct StackDepths {
  uint32_t max = 0;
  // False: some call's signature was not to be had, `max` is a bound and `before` is incomplete. The bound is the
  // header's max_stack plus what inserted and removed instructions can add to it at most.
  bool exact = true;
  // Depth before each instruction by Instruction::index, kUnknownDepth where none was found. Unreachable code starts
  // with an empty stack, as after any unconditional branch.
  std::vector<int32_t> before;
  // What is wrong: too few values, or different depths where branches meet. `max` is not to be used then.
  Status problem = Status::ok();
};

// Follows all paths of the body of now. Numbers it. Branches and boundaries must be within the body (see verify.h).
StackDepths compute_stack(Body& body, const MethodFacts& facts);

// What an instruction takes and gives; nothing if it is a call that neither declares it nor is known to `facts`.
std::optional<StackEffect> stack_effect(const Instruction& instruction, const MethodFacts& facts);

}  // namespace oriel::il
