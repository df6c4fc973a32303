// Branch targets of instructions, and the instructions that branch to them.
#include <algorithm>
#include <utility>

#include "plugins/code/code.h"
#include "plugins/code/graph.h"
#include "plugins/code/instruction.h"

namespace oriel::plugins {

// Instructions of one code live together; others hold references to their targets.
void Instruction::count_target(Instruction* target, bool counted) {
  if (target == this || (code_ != nullptr && target->code_ == code_)) return;
  counted ? target->AddRef() : target->Release();
}

void Instruction::forget_source(const Instruction* source) {
  const auto found = std::find(sources_.begin(), sources_.end(), source);
  if (found != sources_.end()) sources_.erase(found);
}

void Instruction::set_target(size_t which, Instruction* target) {
  Instruction* const before = targets_[which];
  if (before == target) return;
  if (target != nullptr) {
    target->sources_.push_back(this);
    count_target(target, true);
  }
  targets_[which] = target;
  if (before == nullptr) return;
  before->forget_source(this);
  count_target(before, false);
}

void Instruction::move_sources(Instruction* to, const Instruction* except) {
  const ComPtr<Instruction> held = share(this);
  for (Instruction* source : std::exchange(sources_, {})) {
    if (source == except) {
      sources_.push_back(source);
      continue;
    }
    *std::find(source->targets_.begin(), source->targets_.end(), this) = to;
    to->sources_.push_back(source);
    source->count_target(to, true);
    source->count_target(this, false);
  }
}

void Instruction::expand() {
  const Opcode expanded = long_branch(opcode_);
  if (expanded == opcode_) return;
  opcode_ = expanded;
  if (graph != nullptr) graph->note_changed();
}

HResult Instruction::IsShortBranch(Bool* value) {
  if (value == nullptr) return kPointerError;
  *value = is_short_branch(opcode_) ? 1 : 0;
  return kOk;
}

HResult Instruction::ExpandBranch() {
  expand();
  return kOk;
}

HResult Instruction::GetBranchTarget(IInstruction** target) {
  if (target == nullptr) return kPointerError;
  return give(share(targets_[0]), target);
}

HResult Instruction::GetTargetOffset(uint32_t* out) {
  if (out == nullptr) return kPointerError;
  *out = 0;
  return targets_[0] == nullptr ? kOk : targets_[0]->GetOffset(out);
}

HResult Instruction::SetBranchTarget(IInstruction* target) {
  if (target == nullptr) return kPointerError;
  Instruction* const ours = of(target);
  if (ours == nullptr) return kNoInterface;
  set_target(0, ours);
  return kOk;
}

HResult Instruction::GetBranchTarget(uint32_t index, IInstruction** target) {
  if (target == nullptr) return kPointerError;
  return give(share(index < targets_.size() ? targets_[index] : nullptr), target);
}

HResult Instruction::SetBranchTarget(uint32_t index, IInstruction* target) {
  if (target == nullptr) return kPointerError;
  if (index >= targets_.size()) return kInvalidArgument;
  Instruction* const ours = of(target);
  if (ours == nullptr) return kNoInterface;
  set_target(index, ours);
  return kOk;
}

HResult Instruction::RemoveBranchTargetAt(uint32_t index) {
  if (index >= targets_.size()) return kInvalidArgument;
  set_target(index, nullptr);
  targets_.erase(targets_.begin() + index);
  if (graph != nullptr) graph->note_changed();
  return kOk;
}

HResult Instruction::RemoveBranchTarget(IInstruction* target) {
  const Instruction* const ours = of(target);
  for (size_t i = targets_.size(); ours != nullptr && i-- > 0;)
    if (targets_[i] == ours) RemoveBranchTargetAt(static_cast<uint32_t>(i));
  return kOk;
}

HResult Instruction::ReplaceBranchTarget(IInstruction* target, IInstruction* replacement) {
  constexpr HResult kOutOfBounds = static_cast<HResult>(0x8000000b);
  if (targets_.empty()) return kOutOfBounds;
  const Instruction* const ours = of(target);
  Instruction* const other = of(replacement);
  if (ours == nullptr || other == nullptr)
    return target == nullptr || replacement == nullptr ? kPointerError : kNoInterface;
  for (size_t i = 0; i < targets_.size(); ++i)
    if (targets_[i] == ours) set_target(i, other);
  return kOk;
}

HResult Instruction::GetBranchCount(uint32_t* count) {
  if (count == nullptr) return kPointerError;
  *count = static_cast<uint32_t>(targets_.size());
  return kOk;
}

HResult Instruction::GetBranchOffset(uint32_t index, uint32_t* out) {
  if (out == nullptr) return kPointerError;
  if (index >= targets_.size()) return kInvalidArgument;
  *out = 0;
  return targets_[index] == nullptr ? kOk : targets_[index]->GetOffset(out);
}

}  // namespace oriel::plugins
