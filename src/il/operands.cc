#include "il/operands.h"

namespace oriel::il {
namespace {

// `first` and its three successors are for 0 to 3 (End: none), then come the encodings with one and two bytes.
Instruction* make_indexed(Body& body, Opcode first, Opcode in8, Opcode in16, uint16_t index) {
  if (first != Opcode::End && index < 4) return body.make(static_cast<Opcode>(static_cast<unsigned>(first) + index));
  return body.make(index <= 0xff ? in8 : in16, index);
}

std::optional<uint32_t> implied(Opcode opcode, Opcode first) {
  if (opcode < first || opcode > static_cast<Opcode>(static_cast<unsigned>(first) + 3)) return std::nullopt;
  return static_cast<unsigned>(opcode) - static_cast<unsigned>(first);
}

}  // namespace

std::optional<VariableUse> variable_use(const Instruction& instruction) {
  const auto index = static_cast<uint32_t>(instruction.operand());
  switch (instruction.info().operand) {
    case OperandKind::Argument8:
    case OperandKind::Argument16:
      return VariableUse{true, index};
    case OperandKind::Local8:
    case OperandKind::Local16:
      return VariableUse{false, index};
    default:
      break;
  }
  const Opcode opcode = instruction.opcode();
  if (const auto argument = implied(opcode, Opcode::Ldarg_0)) return VariableUse{true, *argument};
  if (const auto loaded = implied(opcode, Opcode::Ldloc_0)) return VariableUse{false, *loaded};
  if (const auto stored = implied(opcode, Opcode::Stloc_0)) return VariableUse{false, *stored};
  return std::nullopt;
}

Instruction* load_local(Body& body, uint16_t index) {
  return make_indexed(body, Opcode::Ldloc_0, Opcode::Ldloc_S, Opcode::Ldloc, index);
}
Instruction* store_local(Body& body, uint16_t index) {
  return make_indexed(body, Opcode::Stloc_0, Opcode::Stloc_S, Opcode::Stloc, index);
}
Instruction* load_local_address(Body& body, uint16_t index) {
  return make_indexed(body, Opcode::End, Opcode::Ldloca_S, Opcode::Ldloca, index);
}
Instruction* load_argument(Body& body, uint16_t index) {
  return make_indexed(body, Opcode::Ldarg_0, Opcode::Ldarg_S, Opcode::Ldarg, index);
}
Instruction* store_argument(Body& body, uint16_t index) {
  return make_indexed(body, Opcode::End, Opcode::Starg_S, Opcode::Starg, index);
}
Instruction* load_argument_address(Body& body, uint16_t index) {
  return make_indexed(body, Opcode::End, Opcode::Ldarga_S, Opcode::Ldarga, index);
}

Instruction* load_int32(Body& body, int32_t value) {
  if (value >= -1 && value <= 8) return body.make(static_cast<Opcode>(static_cast<int>(Opcode::Ldc_I4_0) + value));
  return body.make(value >= -128 && value <= 127 ? Opcode::Ldc_I4_S : Opcode::Ldc_I4, value);
}

Instruction* load_int64(Body& body, int64_t value) { return body.make(Opcode::Ldc_I8, value); }

}  // namespace oriel::il
