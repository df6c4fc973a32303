// What plug-ins are told of an opcode.
#pragma once

#include <string_view>

#include "il/opcode.h"
#include "oriel/plugins/opcodes.h"

namespace oriel::plugins {

struct OpcodeFacts {
  std::string_view name = "unused";
  il::Opcode opcode = il::Opcode::End;  // that: it is no instruction
  uint32_t opcode_bytes = 0;
  uint32_t operand_bytes = 0;  // of a switch, of the count only
  OperandType operand = OperandType::kNone;
  OpcodeFlags flags = OpcodeFlags::kUnused;
  Opcode alternate = Opcode::None;
  TerminationType termination = TerminationType::kFallThrough;
};

// Of any number; what is no opcode is an unused one.
OpcodeFacts facts_of(Opcode opcode);

Opcode ordinal_of(il::Opcode opcode);

bool is_branch(Opcode opcode);
bool is_short_branch(Opcode opcode);
// Of a branch: its long form.
Opcode long_branch(Opcode opcode);
bool is_call(Opcode opcode);

}  // namespace oriel::plugins
