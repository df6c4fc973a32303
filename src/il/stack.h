// The depth of the evaluation stack, and the metadata facts needed to compute it.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/status.h"
#include "il/body.h"

namespace oriel::il {

// What only the metadata knows about a method. Missing facts mean fewer checks.
struct MethodFacts {
  // The effect of call, callvirt, newobj or calli with this token, or nullopt if the signature is unavailable. `pops`
  // includes `this` and the function pointer of calli; for newobj, only the constructor's arguments. See signature.h.
  std::function<std::optional<StackEffect>(Opcode opcode, uint32_t token)> call_effect;
  std::optional<bool> returns_value;
  std::optional<uint32_t> local_count;
  std::optional<uint32_t> argument_count;  // including `this`
  std::optional<bool> has_this;
  std::vector<bool> by_reference;  // arguments that are managed pointers, by index; unknown beyond the end
};

inline constexpr int32_t kUnknownDepth = -1;

struct StackDepths {
  uint32_t max = 0;
  // False: some call's signature was unavailable, so `max` is a bound and `before` is incomplete. The bound is the
  // header's max_stack plus what edits can add at most.
  bool exact = true;
  // Depth before each instruction by Instruction::index, kUnknownDepth if none was found. Unreachable code starts with
  // an empty stack, like code after any unconditional branch.
  std::vector<int32_t> before;
  // The fault: too few values, or different depths where branches meet. `max` is then invalid.
  Status problem = Status::ok();
};

// Follows all paths of the current body. Numbers it. Branches and boundaries must be within the body (see verify.h).
StackDepths compute_stack(Body& body, const MethodFacts& facts);

// The stack effect of an instruction; nullopt for a call that neither declares it nor is known to `facts`.
std::optional<StackEffect> stack_effect(const Instruction& instruction, const MethodFacts& facts);

}  // namespace oriel::il
