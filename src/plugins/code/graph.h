// The instructions of a method in their order, as plug-ins see and change them.
#pragma once

#include <vector>

#include "oriel/plugins/graph.h"
#include "plugins/code/clauses.h"
#include "plugins/code/instruction.h"
#include "plugins/code/part.h"

namespace oriel::plugins {

class Graph final : public Part<IInstructionGraph> {
 public:
  Graph(Code& code, IMethodInfo* of) : Part(code), method(of), section(code, *this) {}
  void move_to(Code& code) {
    Part::move_to(code);
    section.move_to(code);
  }

  HResult GetMethodInfo(IMethodInfo** method) override;
  HResult GetFirstInstruction(IInstruction** instruction) override;
  HResult GetLastInstruction(IInstruction** instruction) override;
  HResult GetOriginalFirstInstruction(IInstruction** instruction) override;
  HResult GetOriginalLastInstruction(IInstruction** instruction) override;
  HResult GetUninstrumentedFirstInstruction(IInstruction** instruction) override;
  HResult GetUninstrumentedLastInstruction(IInstruction** instruction) override;
  HResult GetInstructionAtOffset(uint32_t offset, IInstruction** instruction) override;
  HResult GetInstructionAtOriginalOffset(uint32_t offset, IInstruction** instruction) override;
  HResult GetInstructionAtUninstrumentedOffset(uint32_t offset, IInstruction** instruction) override;
  HResult InsertBefore(IInstruction* at, IInstruction* made) override;
  HResult InsertAfter(IInstruction* at, IInstruction* made) override;
  HResult InsertBeforeAndRetargetOffsets(IInstruction* at, IInstruction* made) override;
  HResult Replace(IInstruction* at, IInstruction* made) override;
  HResult Remove(IInstruction* at) override;
  HResult RemoveAll() override;
  HResult CreateBaseline(const uint8_t* code, const uint8_t* code_end, uint32_t map_size, const IlMapEntry* map,
                         uint32_t point_count, uint32_t* points) override;
  HResult HasBaselineBeenSet(Bool* set) override;
  HResult ExpandBranches() override;

  // For whoever decodes and encodes.

  IMethodInfo* method;  // null of none, or once it is gone; not counted
  ExceptionSection section;

  struct Chain {
    Instruction* first = nullptr;
    Instruction* last = nullptr;
  };
  Chain now, original, before_baseline;
  // Of an empty graph, or one from which all was removed: these in their order, which are in no code yet.
  void take(const std::vector<ComPtr<Instruction>>& instructions, Generation generation);
  // What begins with an instruction, as branches and regions do, or ends with it: with which it does as the graph
  // stands. That is the instruction, or what came in its place once it was replaced or removed; null: nothing.
  Instruction* begin_of(Instruction* at) const;
  Instruction* end_of(Instruction* at) const;
  // Offsets as the graph stands.
  void number();
  void note_changed() { is_numbered_ = false; }

  // Only while BeforeInstrumentMethod runs.
  bool may_make_baseline = false;
  // What CreateBaseline told of offsets in the code that it makes: those that the debugger shall know.
  std::vector<IlMapEntry> baseline_points;
  bool has_baseline() const { return has_baseline_; }

 private:
  HResult insert(IInstruction* at, IInstruction* made, bool moves_branches);
  void link(Instruction* previous, Instruction* made, Instruction* next);
  void unlink(Instruction* at);
  void bring_in(Instruction* made);
  HResult find(const Instruction* from, uint32_t offset, IInstruction** instruction);

  bool is_numbered_ = false;
  bool has_baseline_ = false;
  std::vector<IlMapEntry> baseline_map_;
};

}  // namespace oriel::plugins
