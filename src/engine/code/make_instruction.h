// Instructions for modules' edits: opcodes and operands that they chose, checked.
#pragma once

#include <cstdint>
#include <string>

#include "il/instruction.h"
#include "oriel/code.h"

namespace oriel {

// End if there is none.
il::Opcode opcode_of(oriel_opcode opcode);

// Whether the instruction's encoding has room for the operand.
bool fits(const il::Instruction& instruction, int64_t operand);
// "ldarg.s has no room for 300"
std::string does_not_fit(il::Opcode opcode, int64_t operand);

}  // namespace oriel
