// How deep the evaluation stack gets, and what of a method's metadata that takes.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "base/status.h"
#include "il/body.h"

namespace oriel::il {

// What only the caller's metadata knows about a method. Everything may be left out; then less is checked.
struct MethodFacts {
  // The effect of call, callvirt, newobj or calli with this token, or nothing if the signature cannot be had. Of
  // `pops`, `this` and the function pointer of calli are counted; of newobj, only what the constructor is given. See
  // signature.h.
  std::function<std::optional<StackEffect>(Opcode opcode, uint32_t token)> call_effect;
  std::optional<bool> returns_value;
  std::optional<uint32_t> local_count;
  std::optional<uint32_t> argument_count;  // with `this`
  std::optional<bool> has_this;
  std::vector<bool> by_reference;  // arguments that are managed pointers, by index; those beyond it are not known
};

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
