#include "sampling/walk/code_scan_x64.h"
#include "sampling/walk/frame_rule.h"

namespace oriel::sampling {

FrameRule read_code_rule(uintptr_t pc) {
  FrameRule rule{};
  rule.kind = RuleKind::kNoWayOut;
  const CodeFrame frame = scan_code(pc);
  const int32_t slot = (frame.fp_at - frame.end) / 8;
  // Else it is to be found out, where it matters, whether the frame pointer is the function's own.
  if (frame.uses_fp) rule.cfa_register = RuleRegister::kFramePointer;
  if (!frame.known || (frame.saves_fp && (slot >= 0 || slot < -2048))) return rule;
  rule.kind = RuleKind::kCode;
  rule.cfa_register = frame.from_fp ? RuleRegister::kFramePointer : RuleRegister::kStackPointer;
  rule.cfa_offset = frame.end;
  rule.fp_slot = frame.saves_fp ? slot : 0;
  return rule;
}

}  // namespace oriel::sampling
