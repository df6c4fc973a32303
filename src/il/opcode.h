// The instructions of ECMA-335 and what is known about each of them.
#pragma once

#include <cstdint>
#include <string_view>

namespace oriel::il {

enum class Opcode : uint16_t {
#define ORIEL_IL_OPCODE(spelling, name, encoding, operand, pops, pushes, flow) spelling,
#include "oriel/opcodes.def"
#undef ORIEL_IL_OPCODE
  // No instruction: the end mark of a body.
  End,
};
inline constexpr unsigned kOpcodeCount = static_cast<unsigned>(Opcode::End);

// The operand after the opcode. Everything from Method to AnyToken is a metadata token of four bytes.
enum class OperandKind : uint8_t {
  None,
  Int8,
  UInt8,
  Int32,
  Int64,
  Float32,
  Float64,
  Local8,
  Local16,
  Argument8,
  Argument16,
  Branch8,
  Branch32,
  Switch,
  Method,
  Field,
  Type,
  String,
  Signature,
  AnyToken,
};

enum class Flow : uint8_t {
  Next,        // to the next instruction
  Prefix,      // part of the next instruction
  Call,        // to the next instruction; a signature gives the stack effect
  Branch,      // to the target only
  CondBranch,  // to a target or the next instruction
  Leave,       // to the target only, through finally handlers, with an empty stack
  Return,      // out of the method
  Jmp,         // out of the method, into another one
  Throw,       // to a handler
  EndHandler,  // back to what started the handler
};

// If only a signature gives the number of values.
inline constexpr int8_t kVaries = -1;

struct OpcodeInfo {
  std::string_view name;
  uint16_t encoding;  // one byte, or 0xFExx for two
  OperandKind operand;
  int8_t pops;
  int8_t pushes;
  Flow flow;

  unsigned encoding_bytes() const { return encoding > 0xff ? 2 : 1; }
};

// For any opcode, also End ("end", which does nothing).
const OpcodeInfo& info(Opcode opcode);

// The opcode with an encoding as in OpcodeInfo, or End if there is none.
Opcode find_opcode(uint16_t encoding);

// Bytes of an operand after the opcode; for Switch only the count.
unsigned operand_bytes(OperandKind kind);

inline bool is_token(OperandKind kind) { return kind >= OperandKind::Method; }
inline bool is_branch(OperandKind kind) { return kind == OperandKind::Branch8 || kind == OperandKind::Branch32; }

// br.s → br, leave.s → leave and so on; other opcodes are returned unchanged.
Opcode long_form(Opcode opcode);
// br → br.s and so on: only for branches in their long form.
Opcode short_form(Opcode opcode);

// Whether execution may continue with the next instruction.
inline bool falls_through(Flow flow) { return flow <= Flow::Call || flow == Flow::CondBranch; }

}  // namespace oriel::il
