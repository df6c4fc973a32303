// Makes a walk's rule of a row of call-frame information.
#include "sampling/cfi/frame_program.h"
#include "sampling/cfi/frame_registers.h"
#include "sampling/walk/code_scan.h"
#include "sampling/walk/frame_rule.h"

namespace oriel::sampling {
namespace {

bool set_cfa(const Row& row, FrameRule& rule) {
  int64_t offset = row.cfa_offset;
  rule.kind = RuleKind::kFrameAt;
  if (row.cfa_is_expression) {
    if (!is_from_frame_pointer(row.cfa_expression, true, offset)) return false;
    rule.kind = RuleKind::kFrameFrom;
    rule.cfa_register = RuleRegister::kFramePointer;
  } else if (row.cfa_register == kDwarfStackPointer) {
    rule.cfa_register = RuleRegister::kStackPointer;
  } else if (row.cfa_register == kDwarfFramePointer) {
    rule.cfa_register = RuleRegister::kFramePointer;
  } else {
    return false;
  }
  rule.cfa_offset = static_cast<int32_t>(offset);
  return rule.cfa_offset == offset;
}

// A slot that is there, else 0: the register still has the caller's value.
bool slot_of(const Place& place, int64_t& slot) {
  slot = 0;
  if (place.saved == Saved::kSame) return true;
  return place.saved == Saved::kAtOffset && to_slot(place.offset, slot) && slot != 0;
}

// An address before an instruction's end stands for the call before it, which is in no epilogue.
void amend_in_epilogue(uintptr_t pc, FrameRule& rule) {
  if (rule.base_slot == 0 || pc % sizeof(uint32_t) != 0) return;
  const CodeFrame frame = scan_epilogue(pc);
  if (!frame.known) return;
  rule.kind = RuleKind::kFrameAt;
  rule.cfa_register = RuleRegister::kStackPointer;
  rule.cfa_offset = frame.end;
  rule.base_slot = 0;
  rule.fp_slot = frame.saves_fp ? (frame.fp_at - frame.end) / 8 : 0;
}

}  // namespace

FrameRule read_rule(const FrameTable& table, size_t offset, uintptr_t pc) {
  FrameEntry entry;
  if (!read_frame_entry(table, offset, entry) || pc < entry.code_low || pc >= entry.code_high) return {};
  if (entry.return_register != kDwarfLinkRegister) return {};
  FrameRule rule{};
  if (entry.is_signal_frame) {
    rule.kind = RuleKind::kSignal;
    return rule;
  }
  Row row;
  if (!read_row(entry, pc, row)) return {};
  if (row.return_address.saved == Saved::kUndefined) {
    rule.kind = RuleKind::kThreadStart;
    return rule;
  }
  int64_t of_fp = 0, of_return = 0;
  if (!set_cfa(row, rule) || !slot_of(row.fp, of_fp) || !slot_of(row.return_address, of_return)) return {};
  rule.fp_slot = static_cast<int32_t>(of_fp);
  rule.base_slot = static_cast<int32_t>(of_return);
  amend_in_epilogue(pc, rule);
  return rule;
}

}  // namespace oriel::sampling
