// Facts about opcodes for plug-ins.
#pragma once

#include <string_view>

#include "il/opcode.h"
#include "oriel/plugins/opcodes.h"

namespace oriel::plugins {

struct OpcodeFacts {
  std::string_view name = "unused";
  il::Opcode opcode = il::Opcode::End;  // End: not an instruction
  uint32_t opcode_bytes = 0;
  uint32_t operand_bytes = 0;  // for a switch, those of the count only
  OperandType operand = OperandType::kNone;
  OpcodeFlags flags = OpcodeFlags::kUnused;
  Opcode alternate = Opcode::None;
  TerminationType termination = TerminationType::kFallThrough;
};

// Takes any number; numbers that are no opcodes count as unused ones.
OpcodeFacts facts_of(Opcode opcode);

Opcode ordinal_of(il::Opcode opcode);

bool is_branch(Opcode opcode);
bool is_short_branch(Opcode opcode);
// The long form of a branch.
Opcode long_branch(Opcode opcode);
bool is_call(Opcode opcode);

}  // namespace oriel::plugins
