// Creates instructions for plug-ins.
#pragma once

#include "oriel/plugins/instructions.h"
#include "plugins/info/object.h"

namespace oriel::plugins {

class InstructionFactory final : public Object<IInstructionFactory> {
 public:
  HResult CreateInstruction(Opcode opcode, IInstruction** instruction) override;
  HResult CreateByteOperandInstruction(Opcode opcode, uint8_t operand, IInstruction** instruction) override;
  HResult CreateUShortOperandInstruction(Opcode opcode, uint16_t operand, IInstruction** instruction) override;
  HResult CreateIntOperandInstruction(Opcode opcode, int32_t operand, IInstruction** instruction) override;
  HResult CreateLongOperandInstruction(Opcode opcode, int64_t operand, IInstruction** instruction) override;
  HResult CreateFloatOperandInstruction(Opcode opcode, float operand, IInstruction** instruction) override;
  HResult CreateDoubleOperandInstruction(Opcode opcode, double operand, IInstruction** instruction) override;
  HResult CreateTokenOperandInstruction(Opcode opcode, Token operand, IInstruction** instruction) override;
  HResult CreateBranchInstruction(Opcode opcode, IInstruction* target, IInstruction** instruction) override;
  HResult CreateSwitchInstruction(Opcode opcode, uint32_t count, IInstruction** targets,
                                  IInstruction** instruction) override;
  HResult CreateLoadConstInstruction(int32_t value, IInstruction** instruction) override;
  HResult CreateLoadLocalInstruction(uint16_t index, IInstruction** instruction) override;
  HResult CreateLoadLocalAddressInstruction(uint16_t index, IInstruction** instruction) override;
  HResult CreateStoreLocalInstruction(uint16_t index, IInstruction** instruction) override;
  HResult CreateLoadArgInstruction(uint16_t index, IInstruction** instruction) override;
  HResult CreateLoadArgAddressInstruction(uint16_t index, IInstruction** instruction) override;
  HResult DecodeInstructionByteStream(uint32_t size, const uint8_t* code, IInstructionGraph** graph) override;
};

}  // namespace oriel::plugins
