// Instructions by meaning: local variables, arguments and constants in their shortest encoding.
#pragma once

#include <cstdint>
#include <optional>

#include "il/body.h"

namespace oriel::il {

struct VariableUse {
  bool is_argument;
  uint32_t index;
};

// The local variable or argument that an instruction reads, writes or takes the address of, in any encoding.
std::optional<VariableUse> variable_use(const Instruction& instruction);

// Instructions made in `body`, to be inserted. Indexes are those of the local signature and of the arguments, including
// `this`.
Instruction* load_local(Body& body, uint16_t index);
Instruction* store_local(Body& body, uint16_t index);
Instruction* load_local_address(Body& body, uint16_t index);
Instruction* load_argument(Body& body, uint16_t index);
Instruction* store_argument(Body& body, uint16_t index);
Instruction* load_argument_address(Body& body, uint16_t index);
Instruction* load_int32(Body& body, int32_t value);
// A native int needs a second instruction, conv.i or conv.u, after it.
Instruction* load_int64(Body& body, int64_t value);

}  // namespace oriel::il
