#include "sampling/walk/stack_walk.h"

#include "sampling/cfi/frame_tables.h"
#include "sampling/walk/frame_rule.h"
#include "sampling/walk/stack_memory.h"
#include "sampling/walk/step.h"

namespace oriel::sampling {
namespace {

// Start of the function that contains `pc`, 0 if unknown: only libraries have this information.
uintptr_t function_start(uintptr_t pc) {
  const FrameTables* all = frame_tables.load();
  FrameEntry entry;
  return all && frame_entry_of(*all, pc, entry) ? entry.code_low : 0;
}

bool needs_frame_pointer(const FrameRule& rule) {
  if (rule.kind == RuleKind::kNone || rule.kind == RuleKind::kNoReturnFound) return true;
  const bool has_end = rule.kind == RuleKind::kFrameAt || rule.kind == RuleKind::kFrameFrom ||
                       rule.kind == RuleKind::kFaultAt || rule.kind == RuleKind::kCode;
  return has_end && (rule.cfa_register == RuleRegister::kFramePointer || rule.fp_slot_from_fp);
}

// False if the frame needs its frame pointer, no inner frame has saved it, and it cannot be found.
bool provide_frame_pointer(StackMemory& memory, Frame& frame, bool exact) {
  Registers& registers = frame.registers;
  if (registers.knows_fp || !needs_frame_pointer(frame.rule) || starts_thread(frame.rule, registers.ip)) return true;
  registers.fp = find_frame_pointer(memory, function_start(exact ? registers.ip : registers.ip - 1), registers.sp);
  registers.knows_fp = registers.fp != 0;
  return registers.knows_fp;
}

}  // namespace

Walk walk_blocked(Walker& walker, const BlockedAt& at) {
  StackMemory memory(walker, at.sp);
  Frame frame = innermost_frame({at.ip, at.sp, 0, 0, false});
  bool exact = true;
  size_t depth = 0;
  walker.frames[depth++] = frame.registers.ip;
  for (;;) {
    if (!provide_frame_pointer(memory, frame, exact)) return {depth, WalkEnd::kBroken};
    const Step step = step_to_caller(memory, frame);
    if (step == Step::kThreadStart) return {depth, WalkEnd::kThreadStart};
    if (step == Step::kBroken) return {depth, WalkEnd::kBroken};
    if (depth == ORIEL_MAX_FRAMES) return {depth, WalkEnd::kTooDeep};
    exact = step == Step::kInterrupted;
    walker.frames[depth++] = frame.registers.ip;
  }
}

}  // namespace oriel::sampling
