// Makes a walk's rule of a row of call-frame information.
#include "sampling/cfi/frame_program.h"
#include "sampling/cfi/frame_registers.h"
#include "sampling/walk/frame_rule.h"

namespace oriel::sampling {
namespace {

// More operations of expressions.
constexpr uint8_t kOpAnd = 0x1a;
constexpr uint8_t kOpPlus = 0x22;
constexpr uint8_t kOpShl = 0x24;
constexpr uint8_t kOpGe = 0x2a;
constexpr uint8_t kOpLiteral0 = 0x30;

// The expression for procedure linkage tables: stack pointer + 8, and 8 more in the second half of each entry. Its
// value depends only on the pc, so it is evaluated to an offset from the stack pointer. Returns whether the expression
// is of that kind.
bool evaluate_from_stack_pointer(ByteCursor code, uintptr_t pc, int64_t& offset) {
  constexpr size_t kDepth = 8;
  int64_t stack[kDepth];
  size_t depth = 0;
  while (code.left() > 0) {
    const uint8_t operation = code.take<uint8_t>();
    if (operation >= kOpRegister0 && operation < kOpRegister0 + 32) {
      const uint64_t dwarf_register = operation - kOpRegister0;
      const int64_t plus = code.take_signed();
      if (depth == kDepth) return false;
      if (dwarf_register == kDwarfStackPointer) {
        stack[depth++] = plus;
      } else if (dwarf_register == kDwarfReturnAddress) {
        stack[depth++] = static_cast<int64_t>(pc) + plus;
      } else {
        return false;
      }
    } else if (operation >= kOpLiteral0 && operation < kOpLiteral0 + 32) {
      if (depth == kDepth) return false;
      stack[depth++] = operation - kOpLiteral0;
    } else {
      if (depth < 2) return false;
      const int64_t right = stack[--depth];
      int64_t& left = stack[depth - 1];
      switch (operation) {
        case kOpAnd:
          left &= right;
          break;
        case kOpPlus:
          left += right;
          break;
        case kOpShl:
          left = right < 64 ? static_cast<int64_t>(static_cast<uint64_t>(left) << right) : 0;
          break;
        case kOpGe:
          left = left >= right;
          break;
        default:
          return false;
      }
    }
  }
  if (depth != 1 || !code.ok()) return false;
  offset = stack[0];
  return true;
}

bool set_cfa(const Row& row, uintptr_t pc, FrameRule& rule) {
  int64_t offset = row.cfa_offset;
  rule.kind = RuleKind::kFrameAt;
  if (row.cfa_is_expression) {
    if (is_from_frame_pointer(row.cfa_expression, true, offset)) {
      rule.kind = RuleKind::kFrameFrom;
      rule.cfa_register = RuleRegister::kFramePointer;
    } else if (evaluate_from_stack_pointer(row.cfa_expression, pc, offset)) {
      rule.cfa_register = RuleRegister::kStackPointer;
    } else {
      return false;
    }
  } else if (row.cfa_register == kDwarfStackPointer) {
    rule.cfa_register = RuleRegister::kStackPointer;
  } else if (row.cfa_register == kDwarfFramePointer) {
    rule.cfa_register = RuleRegister::kFramePointer;
  } else if (row.cfa_register == kDwarfBase) {
    rule.cfa_register = RuleRegister::kBase;
  } else {
    return false;
  }
  rule.cfa_offset = static_cast<int32_t>(offset);
  return rule.cfa_offset == offset;
}

bool set_saved(const Row& row, FrameRule& rule) {
  int64_t slot = 0, offset = 0;
  if (row.fp.saved == Saved::kAtOffset) {
    if (!to_slot(row.fp.offset, slot) || slot == 0) return false;
    rule.fp_slot = static_cast<int32_t>(slot);
  } else if (row.fp.saved == Saved::kAtExpression) {
    if (!is_from_frame_pointer(row.fp.expression, false, offset) || !to_slot(offset, slot)) return false;
    rule.fp_slot = static_cast<int32_t>(slot);
    rule.fp_slot_from_fp = 1;
  } else if (row.fp.saved == Saved::kUnknown) {
    return false;
  }
  // Few frames depend on the base register: if it is saved in an unknown way, it is taken as unchanged.
  if (row.base.saved == Saved::kAtOffset && to_slot(row.base.offset, slot)) {
    rule.base_slot = static_cast<int32_t>(slot);
  }
  return true;
}

// A call leaves no room between its return address and the caller's frame. Such room is the red zone, which only
// interrupted code still uses.
bool set_fault(const Row& row, FrameRule& rule) {
  int64_t slot = 0;
  if (rule.kind != RuleKind::kFrameAt || rule.base_slot != 0) return false;
  if (!to_slot(row.return_address.offset, slot) || slot >= -1) return false;
  rule.base_slot = static_cast<int32_t>(slot);
  rule.kind = RuleKind::kFaultAt;
  return true;
}

}  // namespace

FrameRule read_rule(const FrameTable& table, size_t offset, uintptr_t pc) {
  FrameEntry entry;
  if (!read_frame_entry(table, offset, entry) || pc < entry.code_low || pc >= entry.code_high) return {};
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
  if (row.return_address.saved != Saved::kAtOffset) return {};
  if (!set_cfa(row, pc, rule) || !set_saved(row, rule)) return {};
  if (row.return_address.offset != -8 && !set_fault(row, rule)) return {};
  return rule;
}

}  // namespace oriel::sampling
