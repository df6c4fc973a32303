#include "sampling/cfi/frame_program.h"

#include "sampling/cfi/frame_registers.h"

namespace oriel::sampling {
namespace {

// The call-frame instructions (DWARF 5, table 7.29) that compilers generate. The first three have an operand
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
  kCfaNegateSignature = 0x2d,  // arm64: whether the return address is signed from here on
  kCfaGnuArgsSize = 0x2e,      // GCC's extension
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
      case kCfaNegateSignature:
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

}  // namespace

bool read_row(const FrameEntry& entry, uintptr_t pc, Row& row) {
  Program program(entry, pc);
  if (!program.run()) return false;
  row = program.row();
  return true;
}

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

}  // namespace oriel::sampling
