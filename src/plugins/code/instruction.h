// An instruction that plug-ins can hold, and the code that it belongs to.
//
// Factories and decoders create instructions on their own. An instruction joins a Code when it is first inserted into
// that code's graph, and then lives, even after it was removed, as long as anybody holds any part of that code. So
// neighbours and targets need no counting, and no pointer that a plug-in keeps becomes invalid.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "oriel/plugins/instructions.h"
#include "plugins/code/opcode_facts.h"
#include "plugins/info/data_items.h"

namespace oriel::il {
class Instruction;
}

namespace oriel::plugins {

class Code;
class Graph;

// One class for all kinds: QueryInterface answers for the interfaces of its kind.
class Instruction final : public IInstruction,
                          public DataContainer,
                          public IOperandInstruction,
                          public IBranchInstruction,
                          public ISwitchInstruction {
 public:
  enum class Kind : uint8_t { kPlain, kOperand, kBranch, kSwitch };

  static ComPtr<Instruction> plain(Opcode opcode);
  static ComPtr<Instruction> with_operand(Opcode opcode, uint64_t bits);
  // `target` may be null and be set later.
  static ComPtr<Instruction> branch(Opcode opcode, Instruction* target);
  static ComPtr<Instruction> choice(const std::vector<Instruction*>& targets);
  // This implementation's instruction behind an interface; null if it is another's.
  static Instruction* of(IUnknown* object);

  Instruction(const Instruction&) = delete;
  Instruction& operator=(const Instruction&) = delete;
  ~Instruction();

  HResult QueryInterface(const Guid& id, void** object) override;
  uint32_t AddRef() override;
  uint32_t Release() override;

  HResult GetOffset(uint32_t* offset) override;
  HResult GetOriginalOffset(uint32_t* offset) override;
  HResult GetOpCodeName(Bstr* name) override;
  HResult GetOpCode(Opcode* opcode) override;
  HResult GetAlternateOrdinalOpcode(Opcode* opcode) override;
  HResult GetInstructionLength(uint32_t* length) override;
  HResult GetOpcodeFlags(OpcodeFlags* flags) override;
  HResult GetOpcodeLength(uint32_t* length) override;
  HResult GetOperandType(OperandType* type) override;
  HResult GetOperandLength(uint32_t* length) override;
  HResult GetIsNew(Bool* value) override;
  HResult GetIsRemoved(Bool* value) override;
  HResult GetIsBranch(Bool* value) override;
  HResult GetIsSwitch(Bool* value) override;
  HResult GetIsCallInstruction(Bool* value) override;
  HResult GetTerminationType(TerminationType* type) override;
  HResult GetIsFallThrough(Bool* value) override;
  HResult GetNextInstruction(IInstruction** next) override;
  HResult GetPreviousInstruction(IInstruction** previous) override;
  HResult GetOriginalNextInstruction(IInstruction** next) override;
  HResult GetOriginalPreviousInstruction(IInstruction** previous) override;
  HResult GetInstructionGeneration(Generation* generation) override;

  HResult GetOperandValue(uint32_t size, uint8_t* bytes) override;
  HResult SetOperandValue(uint32_t size, uint8_t* bytes) override;

  HResult IsShortBranch(Bool* value) override;
  HResult ExpandBranch() override;
  HResult GetBranchTarget(IInstruction** target) override;
  HResult GetTargetOffset(uint32_t* offset) override;
  HResult SetBranchTarget(IInstruction* target) override;

  HResult GetBranchTarget(uint32_t index, IInstruction** target) override;
  HResult SetBranchTarget(uint32_t index, IInstruction* target) override;
  HResult RemoveBranchTargetAt(uint32_t index) override;
  HResult RemoveBranchTarget(IInstruction* target) override;
  HResult ReplaceBranchTarget(IInstruction* target, IInstruction* replacement) override;
  HResult GetBranchCount(uint32_t* count) override;
  HResult GetBranchOffset(uint32_t index, uint32_t* offset) override;

  // For its graph.

  struct Links {
    Instruction* previous = nullptr;
    Instruction* next = nullptr;
  };
  Links links;     // current; a removed instruction keeps its last links
  Links original;  // as decoded
  // After its removal: the instructions with which regions now end that ended with it, and begin that began with it;
  // null: none.
  Links instead;
  const Instruction* put_behind = nullptr;  // the one that it was inserted behind
  uint32_t offset = 0;                      // as of the last numbering
  uint32_t original_offset = 0;
  Generation generation = Generation::kNew;
  bool is_removed = false;
  Graph* graph = nullptr;               // the graph that contains it
  il::Instruction* rendered = nullptr;  // its counterpart while the graph is rendered

  Opcode opcode() const { return opcode_; }
  Kind kind() const { return kind_; }
  uint64_t operand_bits() const { return operand_; }
  // Includes the operand.
  uint32_t size() const;
  // A branch has one; null if it was not set.
  const std::vector<Instruction*>& targets() const { return targets_; }
  void set_target(size_t which, Instruction* target);
  // Redirects all branches to this instruction to another one, except that of `except`.
  void move_sources(Instruction* to, const Instruction* except);
  void expand();

  Code* code() const { return code_; }
  // Makes it a part of that code for good.
  void join(Code& code);
  void move_to(Code& code);
  // The code is being destroyed: releases targets in other codes.
  void leave();

 private:
  Instruction(Kind kind, Opcode opcode);
  static void destroy(Instruction* first);
  void count_target(Instruction* target, bool counted);
  void forget_source(const Instruction* source);

  const Kind kind_;
  Opcode opcode_;
  uint32_t references_ = 1;  // while in no code; atomic
  uint64_t operand_ = 0;
  std::vector<Instruction*> targets_;
  std::vector<Instruction*> sources_;  // the instructions that branch to it, once for each branch
  Code* code_ = nullptr;
};

}  // namespace oriel::plugins
