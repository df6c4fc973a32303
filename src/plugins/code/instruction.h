// An instruction as a plug-in holds it, and the code that it lives in.
//
// Instructions are made alone, by factories and decoders, and belong to a Code from when they are first put into its
// graph: then they live as long as anybody holds any part of that code, also once they are removed. So neighbours and
// targets need no counting, and nothing that a plug-in keeps goes stale.
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

// All kinds in one class: QueryInterface answers for those that it is of.
class Instruction final : public IInstruction,
                          public DataContainer,
                          public IOperandInstruction,
                          public IBranchInstruction,
                          public ISwitchInstruction {
 public:
  enum class Kind : uint8_t { kPlain, kOperand, kBranch, kSwitch };

  static ComPtr<Instruction> plain(Opcode opcode);
  static ComPtr<Instruction> with_operand(Opcode opcode, uint64_t bits);
  // `target` may be null until it is set.
  static ComPtr<Instruction> branch(Opcode opcode, Instruction* target);
  static ComPtr<Instruction> choice(const std::vector<Instruction*>& targets);
  // What one of ours is behind an interface; null of what is not.
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

  // For the graph that it is in.

  struct Links {
    Instruction* previous = nullptr;
    Instruction* next = nullptr;
  };
  Links links;     // as the graph stands; those of a removed one stay as they were
  Links original;  // as it was decoded
  // Out of its graph: what what ended with it ends with, and what what began with it begins with; null: with nothing.
  Links instead;
  const Instruction* put_behind = nullptr;  // after which it was inserted
  uint32_t offset = 0;                      // as last numbered
  uint32_t original_offset = 0;
  Generation generation = Generation::kNew;
  bool is_removed = false;
  Graph* graph = nullptr;               // that it is in
  il::Instruction* rendered = nullptr;  // what it became, while the graph is rendered

  Opcode opcode() const { return opcode_; }
  Kind kind() const { return kind_; }
  uint64_t operand_bits() const { return operand_; }
  // With the operand.
  uint32_t size() const;
  // Of a branch one; null where none was set.
  const std::vector<Instruction*>& targets() const { return targets_; }
  void set_target(size_t which, Instruction* target);
  // All branches to this one go to another; but not `except`, which goes where it did.
  void move_sources(Instruction* to, const Instruction* except);
  void expand();

  Code* code() const { return code_; }
  // From now on a part of that code, for ever.
  void join(Code& code);
  void move_to(Code& code);
  // The code is going: what leads to instructions of others is let go.
  void leave();

 private:
  Instruction(Kind kind, Opcode opcode);
  static void destroy(Instruction* first);
  void count_target(Instruction* target, bool counted);
  void forget_source(const Instruction* source);

  const Kind kind_;
  Opcode opcode_;
  uint32_t references_ = 1;  // while in no code; atomically
  uint64_t operand_ = 0;
  std::vector<Instruction*> targets_;
  std::vector<Instruction*> sources_;  // who has it as a target, once for each
  Code* code_ = nullptr;
};

}  // namespace oriel::plugins
