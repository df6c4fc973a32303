// Executes the instructions of an .eh_frame entry up to one pc (DWARF 5, section 6.4) and keeps what a walk needs.
#include "sampling/cfi/byte_cursor.h"
#include "sampling/cfi/frame_tables.h"
#include "sampling/walk/frame_rule.h"

namespace oriel::sampling {
namespace {

// DWARF's numbers for the x86-64 registers that a walk follows (System V ABI, figure 3.36).
constexpr uint64_t kDwarfBase = 3;          // rbx
constexpr uint64_t kDwarfFramePointer = 6;  // rbp
constexpr uint64_t kDwarfStackPointer = 7;  // rsp
constexpr uint64_t kDwarfReturnAddress = 16;

// The call-frame instructions (DWARF 5, table 7.29) that compilers for x86-64 generate. The first three have an operand
// in their lower six bits.
enum CallFrameInstruction : uint8_t {
  kCfaAdvanceLoc = 0x40,
  kCfaOffset = 0x80,
  kCfaRestore = 0xc0,
  kCfaNop = 0x00,
  kCfaAdvanceLoc1 = 0x02,
  kCfaAdvanceLoc2 = 0x03,
  kCfaAdvanceLoc4 = 0x04,
  kCfaOffsetExtended = 0x05,
  kCfaRestoreExtended = 0x06,
  kCfaUndefined = 0x07,
  kCfaSameValue = 0x08,
  kCfaRegister = 0x09,
  kCfaRememberState = 0x0a,
  kCfaRestoreState = 0x0b,
  kCfaDefCfa = 0x0c,
  kCfaDefCfaRegister = 0x0d,
  kCfaDefCfaOffset = 0x0e,
  kCfaDefCfaExpression = 0x0f,
  kCfaExpression = 0x10,
  kCfaOffsetExtendedSf = 0x11,
  kCfaDefCfaSf = 0x12,
  kCfaDefCfaOffsetSf = 0x13,
  kCfaValOffset = 0x14,
  kCfaValOffsetSf = 0x15,
  kCfaValExpression = 0x16,
  kCfaGnuArgsSize = 0x2e,  // GCC's extension
};

enum class Saved : uint8_t { kSame, kAtOffset, kAtExpression, kUndefined, kUnknown };

// Where a caller's register is saved.
struct Place {
  Saved saved = Saved::kSame;
  int64_t offset = 0;
  ByteCursor expression{nullptr, nullptr};
};

// One row of the table that the instructions describe.
struct Row {
  uint64_t cfa_register = 0;
  int64_t cfa_offset = 0;
  bool cfa_is_expression = false;
  ByteCursor cfa_expression{nullptr, nullptr};
  Place base, fp, return_address;
};

constexpr size_t kMaxRemembered = 4;

class Program {
 public:
  Program(const FrameEntry& entry, uintptr_t pc) : entry_(entry), pc_(pc), location_(entry.code_low) {}

  // Returns whether all instructions up to the pc were understood.
  bool run() {
    if (!run(entry_.initial)) return false;
    initial_ = row_;
    return run(entry_.program);
  }
  const Row& row() const { return row_; }

 private:
  bool run(ByteCursor code) {
    while (code.left() > 0 && location_ <= pc_) {
      if (!step(code)) return false;
    }
    return code.ok();
  }

  // Beyond the pc rows belong to other instructions, so the row is no longer changed.
  void advance(uint64_t units) { location_ += units * entry_.code_align; }

  Place* place_of(uint64_t dwarf_register) {
    if (dwarf_register == kDwarfBase) return &row_.base;
    if (dwarf_register == kDwarfFramePointer) return &row_.fp;
    if (dwarf_register == entry_.return_register) return &row_.return_address;
    return nullptr;
  }

  void save(uint64_t dwarf_register, Saved saved, int64_t offset = 0) {
    if (Place* place = place_of(dwarf_register)) {
      place->saved = saved;
      place->offset = offset;
    }
  }

  void restore(uint64_t dwarf_register) {
    if (dwarf_register == kDwarfBase) row_.base = initial_.base;
    if (dwarf_register == kDwarfFramePointer) row_.fp = initial_.fp;
    if (dwarf_register == entry_.return_register) row_.return_address = initial_.return_address;
  }

  void define_cfa(uint64_t dwarf_register, int64_t offset) {
    row_.cfa_register = dwarf_register;
    row_.cfa_offset = offset;
    row_.cfa_is_expression = false;
  }

  int64_t scaled(uint64_t factor) const { return static_cast<int64_t>(factor) * entry_.data_align; }

  bool step(ByteCursor& code) {
    const uint8_t instruction = code.take<uint8_t>();
    const uint8_t operand = instruction & 0x3f;
    switch (instruction & 0xc0) {
      case kCfaAdvanceLoc:
        advance(operand);
        return true;
      case kCfaOffset:
        save(operand, Saved::kAtOffset, scaled(code.take_unsigned()));
        return true;
      case kCfaRestore:
        restore(operand);
        return true;
      default:
        return operand >= kCfaDefCfa && operand <= kCfaDefCfaOffsetSf ? step_cfa(operand, code)
                                                                      : step_other(operand, code);
    }
  }

  bool step_cfa(uint8_t instruction, ByteCursor& code) {
    switch (instruction) {
      case kCfaDefCfa: {
        const uint64_t dwarf_register = code.take_unsigned();
        define_cfa(dwarf_register, static_cast<int64_t>(code.take_unsigned()));
        return true;
      }
      case kCfaDefCfaRegister:
        row_.cfa_register = code.take_unsigned();
        return true;
      case kCfaDefCfaOffset:
        row_.cfa_offset = static_cast<int64_t>(code.take_unsigned());
        return true;
      case kCfaDefCfaExpression:
        row_.cfa_is_expression = true;
        row_.cfa_expression = code.take_block(code.take_unsigned());
        return true;
      case kCfaExpression: {
        const uint64_t dwarf_register = code.take_unsigned();
        const ByteCursor expression = code.take_block(code.take_unsigned());
        save(dwarf_register, Saved::kAtExpression);
        if (Place* place = place_of(dwarf_register)) place->expression = expression;
        return true;
      }
      case kCfaOffsetExtendedSf: {
        const uint64_t dwarf_register = code.take_unsigned();
        save(dwarf_register, Saved::kAtOffset, code.take_signed() * entry_.data_align);
        return true;
      }
      case kCfaDefCfaSf: {
        const uint64_t dwarf_register = code.take_unsigned();
        define_cfa(dwarf_register, code.take_signed() * entry_.data_align);
        return true;
      }
      default:  // kCfaDefCfaOffsetSf
        row_.cfa_offset = code.take_signed() * entry_.data_align;
        return true;
    }
  }

  bool step_other(uint8_t instruction, ByteCursor& code) {
    switch (instruction) {
      case kCfaNop:
        return true;
      case kCfaAdvanceLoc1:
        advance(code.take<uint8_t>());
        return true;
      case kCfaAdvanceLoc2:
        advance(code.take<uint16_t>());
        return true;
      case kCfaAdvanceLoc4:
        advance(code.take<uint32_t>());
        return true;
      case kCfaOffsetExtended: {
        const uint64_t dwarf_register = code.take_unsigned();
        save(dwarf_register, Saved::kAtOffset, scaled(code.take_unsigned()));
        return true;
      }
      case kCfaRestoreExtended:
        restore(code.take_unsigned());
        return true;
      case kCfaUndefined:
        save(code.take_unsigned(), Saved::kUndefined);
        return true;
      case kCfaSameValue:
        save(code.take_unsigned(), Saved::kSame);
        return true;
      case kCfaRegister:
        save(code.take_unsigned(), Saved::kUnknown);
        code.take_unsigned();
        return true;
      case kCfaRememberState:
        if (remembered_count_ == kMaxRemembered) return false;
        remembered_[remembered_count_++] = row_;
        return true;
      case kCfaRestoreState:
        if (remembered_count_ == 0) return false;
        row_ = remembered_[--remembered_count_];
        return true;
      case kCfaValOffset:
      case kCfaValOffsetSf:
        save(code.take_unsigned(), Saved::kUnknown);
        code.take_unsigned();
        return true;
      case kCfaValExpression:
        save(code.take_unsigned(), Saved::kUnknown);
        code.take_block(code.take_unsigned());
        return true;
      case kCfaGnuArgsSize:
        code.take_unsigned();
        return true;
      default:
        return false;
    }
  }

  const FrameEntry& entry_;
  const uintptr_t pc_;
  uintptr_t location_;
  Row row_;
  Row initial_;
  Row remembered_[kMaxRemembered];
  size_t remembered_count_ = 0;
};

// The operations of the expressions that linkers and compilers write into call-frame information (DWARF 5, section
// 7.7.1).
constexpr uint8_t kOpDeref = 0x06;
constexpr uint8_t kOpAnd = 0x1a;
constexpr uint8_t kOpPlus = 0x22;
constexpr uint8_t kOpShl = 0x24;
constexpr uint8_t kOpGe = 0x2a;
constexpr uint8_t kOpLiteral0 = 0x30;
constexpr uint8_t kOpRegister0 = 0x70;  // register + offset

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

// "The word at frame pointer + offset", in functions that realign the stack; with `deref` false, the address itself.
// Returns whether the expression is of that kind.
bool is_from_frame_pointer(ByteCursor code, bool deref, int64_t& offset) {
  if (code.take<uint8_t>() != kOpRegister0 + kDwarfFramePointer) return false;
  offset = code.take_signed();
  if (deref && code.take<uint8_t>() != kOpDeref) return false;
  return code.ok() && code.left() == 0;
}

bool to_slot(int64_t offset, int64_t& slot) {
  slot = offset / 8;
  return offset % 8 == 0 && slot >= -2048 && slot < 2048;
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
  Program program(entry, pc);
  if (!program.run()) return {};
  const Row& row = program.row();
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
