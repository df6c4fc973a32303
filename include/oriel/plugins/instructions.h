// The instructions of a method body, each linked to its neighbours and branch targets.
#pragma once

#include "oriel/plugins/com.h"
#include "oriel/plugins/opcodes.h"

namespace oriel::plugins {

struct IInstructionGraph;

// One instruction. It stays valid while it is referenced, even after it was removed or its method compiled.
struct IInstruction : IUnknown {
  static constexpr Guid kId = {0xe80d8434, 0x2976, 0x4242, {0x8f, 0x3b, 0x0c, 0x83, 0x7c, 0x34, 0x3f, 0x6c}};

  // In the current graph, with the instructions' current lengths.
  virtual HResult GetOffset(uint32_t* offset) = 0;
  // When the graph was made.
  virtual HResult GetOriginalOffset(uint32_t* offset) = 0;
  // The caller frees the string: IProfilerStringManager::FreeString.
  virtual HResult GetOpCodeName(Bstr* name) = 0;
  virtual HResult GetOpCode(Opcode* opcode) = 0;
  // The short form for a long one, the long form for a short one.
  virtual HResult GetAlternateOrdinalOpcode(Opcode* opcode) = 0;
  // In bytes, with the operand.
  virtual HResult GetInstructionLength(uint32_t* length) = 0;
  virtual HResult GetOpcodeFlags(OpcodeFlags* flags) = 0;
  virtual HResult GetOpcodeLength(uint32_t* length) = 0;
  virtual HResult GetOperandType(OperandType* type) = 0;
  virtual HResult GetOperandLength(uint32_t* length) = 0;
  virtual HResult GetIsNew(Bool* value) = 0;
  virtual HResult GetIsRemoved(Bool* value) = 0;
  virtual HResult GetIsBranch(Bool* value) = 0;
  virtual HResult GetIsSwitch(Bool* value) = 0;
  virtual HResult GetIsCallInstruction(Bool* value) = 0;
  virtual HResult GetTerminationType(TerminationType* termination_type) = 0;
  virtual HResult GetIsFallThrough(Bool* is_fall_through) = 0;
  // E_FAIL at the end, as with the others.
  virtual HResult GetNextInstruction(IInstruction** next_instruction) = 0;
  virtual HResult GetPreviousInstruction(IInstruction** prev_instruction) = 0;
  virtual HResult GetOriginalNextInstruction(IInstruction** next_instruction) = 0;
  virtual HResult GetOriginalPreviousInstruction(IInstruction** prev_instruction) = 0;
  virtual HResult GetInstructionGeneration(Generation* instruction_generation) = 0;

 protected:
  ~IInstruction() = default;
};

struct IEnumInstructions : Enumerator<IEnumInstructions, IInstruction> {
  static constexpr Guid kId = {0x2a4a827a, 0x046d, 0x4927, {0xbd, 0x90, 0xce, 0x96, 0x07, 0x60, 0x72, 0x80}};

 protected:
  ~IEnumInstructions() = default;
};

// An instruction with an operand: a constant, an index, a token.
struct IOperandInstruction : IUnknown {
  static constexpr Guid kId = {0x1f014299, 0xf383, 0x46ce, {0xb7, 0xa6, 0x19, 0x82, 0xc8, 0x5f, 0x9f, 0xea}};

  virtual HResult GetOperandType(OperandType* type) = 0;
  // `size` must be that of the operand.
  virtual HResult GetOperandValue(uint32_t size, uint8_t* bytes) = 0;
  virtual HResult SetOperandValue(uint32_t size, uint8_t* bytes) = 0;

 protected:
  ~IOperandInstruction() = default;
};

// A branch, conditional or not.
struct IBranchInstruction : IUnknown {
  static constexpr Guid kId = {0x73728f9d, 0xb4b5, 0x4149, {0x83, 0x96, 0xa7, 0x9c, 0x47, 0x26, 0x63, 0x6e}};

  virtual HResult IsShortBranch(Bool* value) = 0;
  // Changes it to the long form.
  virtual HResult ExpandBranch() = 0;
  virtual HResult GetBranchTarget(IInstruction** target) = 0;
  virtual HResult GetTargetOffset(uint32_t* offset) = 0;
  virtual HResult SetBranchTarget(IInstruction* target) = 0;

 protected:
  ~IBranchInstruction() = default;
};

// A switch and its targets.
struct ISwitchInstruction : IUnknown {
  static constexpr Guid kId = {0x66b79035, 0x4f18, 0x4689, {0xa1, 0x6d, 0x95, 0xaf, 0x46, 0x94, 0x60, 0xa3}};

  virtual HResult GetBranchTarget(uint32_t index, IInstruction** target) = 0;
  virtual HResult SetBranchTarget(uint32_t index, IInstruction* target) = 0;
  virtual HResult RemoveBranchTargetAt(uint32_t index) = 0;
  virtual HResult RemoveBranchTarget(IInstruction* target) = 0;
  virtual HResult ReplaceBranchTarget(IInstruction* target, IInstruction* replacement) = 0;
  virtual HResult GetBranchCount(uint32_t* branch_count) = 0;
  virtual HResult GetBranchOffset(uint32_t index, uint32_t* offset) = 0;

 protected:
  ~ISwitchInstruction() = default;
};

// Makes instructions that are in no graph yet. Fails if the operand does not fit the opcode.
struct IInstructionFactory : IUnknown {
  static constexpr Guid kId = {0xcf059876, 0xc5ca, 0x4ebf, {0xac, 0xb9, 0x9c, 0x58, 0x00, 0x9c, 0xe3, 0x1a}};

  virtual HResult CreateInstruction(Opcode opcode, IInstruction** instruction) = 0;
  virtual HResult CreateByteOperandInstruction(Opcode opcode, uint8_t operand, IInstruction** instruction) = 0;
  virtual HResult CreateUShortOperandInstruction(Opcode opcode, uint16_t operand, IInstruction** instruction) = 0;
  virtual HResult CreateIntOperandInstruction(Opcode opcode, int32_t operand, IInstruction** instruction) = 0;
  virtual HResult CreateLongOperandInstruction(Opcode opcode, int64_t operand, IInstruction** instruction) = 0;
  virtual HResult CreateFloatOperandInstruction(Opcode opcode, float operand, IInstruction** instruction) = 0;
  virtual HResult CreateDoubleOperandInstruction(Opcode opcode, double operand, IInstruction** instruction) = 0;
  virtual HResult CreateTokenOperandInstruction(Opcode opcode, Token operand, IInstruction** instruction) = 0;
  virtual HResult CreateBranchInstruction(Opcode opcode, IInstruction* target, IInstruction** instruction) = 0;
  virtual HResult CreateSwitchInstruction(Opcode opcode, uint32_t count, IInstruction** targets,
                                          IInstruction** instruction) = 0;
  // These choose the shortest form.
  virtual HResult CreateLoadConstInstruction(int32_t value, IInstruction** instruction) = 0;
  virtual HResult CreateLoadLocalInstruction(uint16_t index, IInstruction** instruction) = 0;
  virtual HResult CreateLoadLocalAddressInstruction(uint16_t index, IInstruction** instruction) = 0;
  virtual HResult CreateStoreLocalInstruction(uint16_t index, IInstruction** instruction) = 0;
  virtual HResult CreateLoadArgInstruction(uint16_t index, IInstruction** instruction) = 0;
  virtual HResult CreateLoadArgAddressInstruction(uint16_t index, IInstruction** instruction) = 0;
  // A separate graph, of no method, from code without a header.
  virtual HResult DecodeInstructionByteStream(uint32_t size, const uint8_t* code,
                                              IInstructionGraph** instruction_graph) = 0;

 protected:
  ~IInstructionFactory() = default;
};

}  // namespace oriel::plugins
