// Instructions by what they mean: local variables, arguments and constants in their shortest encoding.
#pragma once

#include <cstdint>
#include <optional>

#include "il/body.h"

namespace oriel::il {

struct VariableUse {
  bool is_argument;
  uint32_t index;
};

// Which local variable or argument an instruction reads, writes or takes the address of, whatever its encoding.
std::optional<VariableUse> variable_use(const Instruction& instruction);

// Instructions made in `body`, to be inserted. Indexes are those of the local signature and of the arguments, `this`
// first.
Instruction* load_local(Body& body, uint16_t index);
Instruction* store_local(Body& body, uint16_t index);
Instruction* load_local_address(Body& body, uint16_t index);
Instruction* load_argument(Body& body, uint16_t index);
Instruction* store_argument(Body& body, uint16_t index);
Instruction* load_argument_address(Body& body, uint16_t index);
Instruction* load_int32(Body& body, int32_t value);
// As a native int takes a second instruction: conv.i or conv.u behind it.
Instruction* load_int64(Body& body, int64_t value);

}  // namespace oriel::il
