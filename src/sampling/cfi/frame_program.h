// Executes the instructions of an .eh_frame entry up to one pc (DWARF 5, section 6.4) and keeps what a walk needs.
#pragma once

#include <cstdint>

#include "sampling/cfi/byte_cursor.h"
#include "sampling/cfi/frame_tables.h"

namespace oriel::sampling {

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

// The row for `pc`, which the entry covers. Returns whether all instructions up to there were understood. Async-safe.
bool read_row(const FrameEntry& entry, uintptr_t pc, Row& row);

// Operations of the expressions that linkers and compilers write into call-frame information (DWARF 5, section 7.7.1).
inline constexpr uint8_t kOpDeref = 0x06;
inline constexpr uint8_t kOpRegister0 = 0x70;  // register + offset

// "The word at frame pointer + offset", in functions that realign the stack; with `deref` false, the address itself.
// Returns whether the expression is of that kind.
bool is_from_frame_pointer(ByteCursor code, bool deref, int64_t& offset);

// The offset in words, if a rule has room for it.
bool to_slot(int64_t offset, int64_t& slot);

}  // namespace oriel::sampling
