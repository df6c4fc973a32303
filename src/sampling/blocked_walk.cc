#include "sampling/blocked_walk.h"

#include "sampling/frame_entry.h"
#include "sampling/frame_pointer_x64.h"
#include "sampling/frame_rule.h"
#include "sampling/frame_tables.h"
#include "sampling/stack_memory.h"
#include "sampling/step.h"

namespace oriel::sampling {
namespace {

// Start of the function that has `pc`, 0 if not known: only libraries say.
uintptr_t function_start(uintptr_t pc) {
  const FrameTables* all = frame_tables.load();
  const FrameTable* table = all ? find_frame_table(*all, pc) : nullptr;
  size_t offset = 0;
  FrameEntry entry;
  if (!table || !find_frame_entry(*table, pc, offset) || !read_frame_entry(*table, offset, entry)) return 0;
  return pc >= entry.code_low && pc < entry.code_high ? entry.code_low : 0;
}

bool needs_frame_pointer(const FrameRule& rule) {
  if (rule.kind == RuleKind::kNone) return true;
  const bool has_end = rule.kind == RuleKind::kFrameAt || rule.kind == RuleKind::kFrameFrom;
  return has_end && (rule.cfa_register == RuleRegister::kFramePointer || rule.fp_slot_from_fp);
}

bool restores_frame_pointer(const FrameRule& rule) { return rule.fp_slot != 0 || rule.kind == RuleKind::kSignal; }

}  // namespace

Walk walk_blocked(Walker& walker, const BlockedAt& at) {
  StackMemory memory(walker, at.sp);
  Registers registers{at.ip, at.sp, 0, 0};
  bool exact = true, knows_frame_pointer = false;
  size_t depth = 0;
  walker.frames[depth++] = registers.ip;
  for (;;) {
    const uintptr_t pc = exact ? registers.ip : registers.ip - 1;
    const FrameRule rule = rule_for(walker, pc);
    if (!knows_frame_pointer && needs_frame_pointer(rule)) {
      registers.fp = find_frame_pointer(memory, function_start(pc), registers.sp);
      if (registers.fp == 0) return {depth, WalkEnd::kBroken};
      knows_frame_pointer = true;
    }
    knows_frame_pointer |= restores_frame_pointer(rule);
    const Step step = step_to_caller(walker, memory, registers, exact);
    if (step == Step::kThreadStart) return {depth, WalkEnd::kThreadStart};
    if (step == Step::kBroken) return {depth, WalkEnd::kBroken};
    if (depth == kMaxFrames) return {depth, WalkEnd::kTooDeep};
    exact = step == Step::kInterrupted;
    walker.frames[depth++] = registers.ip;
  }
}

}  // namespace oriel::sampling
