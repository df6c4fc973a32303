#include "plugins/code/factory.h"

#include <bit>

#include "plugins/code/code.h"
#include "plugins/code/decode.h"

namespace oriel::plugins {
namespace {

HResult make_operand(Opcode opcode, uint64_t bits, uint32_t bytes, IInstruction** out) {
  if (out == nullptr) return kPointerError;
  const OpcodeFacts facts = facts_of(opcode);
  if (facts.operand_bytes != bytes || facts.operand == OperandType::kSwitch || is_branch(opcode))
    return kInvalidArgument;
  return give(Instruction::with_operand(opcode, bits), out);
}

// Picks ldloc.0 … ldloc.3 (no such forms: `shortest` is none), the form with one byte, or the one with two.
HResult make_variable(Opcode shortest, Opcode narrow, Opcode wide, uint16_t index, IInstruction** out) {
  if (out == nullptr) return kPointerError;
  constexpr uint16_t kForms = 4;
  if (shortest != Opcode::None && index < kForms)
    return give(Instruction::with_operand(static_cast<Opcode>(static_cast<int32_t>(shortest) + index), 0), out);
  return give(Instruction::with_operand(index <= 0xff ? narrow : wide, index), out);
}

}  // namespace

HResult InstructionFactory::CreateInstruction(Opcode opcode, IInstruction** out) {
  if (out == nullptr) return kPointerError;
  const OpcodeFacts facts = facts_of(opcode);
  if (facts.opcode == il::Opcode::End || facts.operand != OperandType::kNone) return kInvalidArgument;
  return give(Instruction::plain(opcode), out);
}

HResult InstructionFactory::CreateByteOperandInstruction(Opcode opcode, uint8_t operand, IInstruction** out) {
  return make_operand(opcode, operand, 1, out);
}
HResult InstructionFactory::CreateUShortOperandInstruction(Opcode opcode, uint16_t operand, IInstruction** out) {
  return make_operand(opcode, operand, 2, out);
}
HResult InstructionFactory::CreateIntOperandInstruction(Opcode opcode, int32_t operand, IInstruction** out) {
  return make_operand(opcode, static_cast<uint32_t>(operand), 4, out);
}
HResult InstructionFactory::CreateLongOperandInstruction(Opcode opcode, int64_t operand, IInstruction** out) {
  return make_operand(opcode, static_cast<uint64_t>(operand), 8, out);
}
HResult InstructionFactory::CreateFloatOperandInstruction(Opcode opcode, float operand, IInstruction** out) {
  return make_operand(opcode, std::bit_cast<uint32_t>(operand), 4, out);
}
HResult InstructionFactory::CreateDoubleOperandInstruction(Opcode opcode, double operand, IInstruction** out) {
  return make_operand(opcode, std::bit_cast<uint64_t>(operand), 8, out);
}
HResult InstructionFactory::CreateTokenOperandInstruction(Opcode opcode, Token operand, IInstruction** out) {
  return make_operand(opcode, operand, 4, out);
}

HResult InstructionFactory::CreateBranchInstruction(Opcode opcode, IInstruction* target, IInstruction** out) {
  if (out == nullptr) return kPointerError;
  if (!is_branch(opcode)) return kInvalidArgument;
  Instruction* const ours = Instruction::of(target);
  if (target != nullptr && ours == nullptr) return kNoInterface;
  return give(Instruction::branch(opcode, ours), out);
}

HResult InstructionFactory::CreateSwitchInstruction(Opcode opcode, uint32_t count, IInstruction** targets,
                                                    IInstruction** out) {
  if (out == nullptr || (targets == nullptr && count > 0)) return kPointerError;
  if (opcode != Opcode::Switch) return kInvalidArgument;
  std::vector<Instruction*> all;
  for (uint32_t i = 0; i < count; ++i) {
    all.push_back(Instruction::of(targets[i]));
    if (all.back() == nullptr) return targets[i] == nullptr ? kPointerError : kNoInterface;
  }
  return give(Instruction::choice(all), out);
}

HResult InstructionFactory::CreateLoadConstInstruction(int32_t value, IInstruction** out) {
  if (out == nullptr) return kPointerError;
  if (value >= -1 && value <= 8)
    return give(Instruction::with_operand(static_cast<Opcode>(static_cast<int32_t>(Opcode::Ldc_I4_0) + value), 0), out);
  const bool fits = value > 0 && value <= 0x7f;
  return give(Instruction::with_operand(fits ? Opcode::Ldc_I4_S : Opcode::Ldc_I4, static_cast<uint32_t>(value)), out);
}

HResult InstructionFactory::CreateLoadLocalInstruction(uint16_t index, IInstruction** out) {
  return make_variable(Opcode::Ldloc_0, Opcode::Ldloc_S, Opcode::Ldloc, index, out);
}
HResult InstructionFactory::CreateLoadLocalAddressInstruction(uint16_t index, IInstruction** out) {
  return make_variable(Opcode::None, Opcode::Ldloca_S, Opcode::Ldloca, index, out);
}
HResult InstructionFactory::CreateStoreLocalInstruction(uint16_t index, IInstruction** out) {
  return make_variable(Opcode::Stloc_0, Opcode::Stloc_S, Opcode::Stloc, index, out);
}
HResult InstructionFactory::CreateLoadArgInstruction(uint16_t index, IInstruction** out) {
  return make_variable(Opcode::Ldarg_0, Opcode::Ldarg_S, Opcode::Ldarg, index, out);
}
HResult InstructionFactory::CreateLoadArgAddressInstruction(uint16_t index, IInstruction** out) {
  return make_variable(Opcode::None, Opcode::Ldarga_S, Opcode::Ldarga, index, out);
}

HResult InstructionFactory::DecodeInstructionByteStream(uint32_t size, const uint8_t* code, IInstructionGraph** graph) {
  if (code == nullptr || graph == nullptr) return kPointerError;
  *graph = nullptr;
  std::vector<ComPtr<Instruction>> instructions;
  if (!decode_code({code, size}, instructions)) return kFail;
  for (const auto& instruction : instructions) instruction->original_offset = 0;
  ComPtr<Graph> made = Code::make_graph(nullptr);
  made->take(instructions, Generation::kNew);
  return give(made, graph);
}

}  // namespace oriel::plugins
