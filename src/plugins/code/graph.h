// The ordered instructions of a method, which plug-ins read and change.
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

  // For decoding and encoding.

  IMethodInfo* method;  // null if there is none, or once it is gone; not counted
  ExceptionSection section;

  struct Chain {
    Instruction* first = nullptr;
    Instruction* last = nullptr;
  };
  Chain now, original, before_baseline;
  // Fills an empty graph with these instructions, in order. They must not be in any code yet.
  void take(const std::vector<ComPtr<Instruction>>& instructions, Generation generation);
  // The instruction with which a branch target or region now begins, or a region ends, that was set to `at`: `at`
  // itself, or what took its place when it was replaced or removed; null if nothing did.
  Instruction* begin_of(Instruction* at) const;
  Instruction* end_of(Instruction* at) const;
  // Assigns offsets in the current order.
  void number();
  void note_changed() { is_numbered_ = false; }

  // Set while BeforeInstrumentMethod runs.
  bool may_make_baseline = false;
  // The offsets in its code that CreateBaseline declared as sequence points for debuggers.
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
