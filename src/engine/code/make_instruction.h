// Instructions for modules' edits: their opcodes and operands are validated.
#pragma once

#include <cstdint>
#include <string>

#include "il/instruction.h"
#include "oriel/code.h"

namespace oriel {

// End if there is no such opcode.
il::Opcode opcode_of(oriel_opcode opcode);

// Whether the instruction's encoding has room for the operand.
bool fits(const il::Instruction& instruction, int64_t operand);
// "ldarg.s has no room for 300"
std::string does_not_fit(il::Opcode opcode, int64_t operand);

}  // namespace oriel
