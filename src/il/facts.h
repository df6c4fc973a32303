// What only the caller's metadata knows about a method. Everything may be left out; then less is checked.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>

#include "il/instruction.h"

namespace oriel::il {

struct MethodFacts {
  // The effect of call, callvirt, newobj or calli with this token, or nothing if the signature cannot be had. Of
  // `pops`, `this` and the function pointer of calli are counted; of newobj, only what the constructor is given. See
  // signature.h.
  std::function<std::optional<StackEffect>(Opcode opcode, uint32_t token)> call_effect;
  std::optional<bool> returns_value;
  std::optional<uint32_t> local_count;
  std::optional<uint32_t> argument_count;  // with `this`
};

}  // namespace oriel::il
