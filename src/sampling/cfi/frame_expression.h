// The DWARF expressions that linkers and compilers write into call-frame information. Async-safe.
#pragma once

#include <cstdint>

#include "sampling/cfi/byte_cursor.h"

namespace oriel::sampling {

// That of procedure linkage tables: stack pointer + 8, and 8 more in the second half of each entry. Its value depends
// on the pc alone, so it comes out as an offset from the stack pointer. Returns whether the expression is of that kind.
bool evaluate_from_stack_pointer(ByteCursor code, uintptr_t pc, int64_t& offset);

// "The word at frame pointer + offset", of functions that realign the stack; with `deref` false, the address itself.
// Returns whether the expression is that.
bool is_from_frame_pointer(ByteCursor code, bool deref, int64_t& offset);

}  // namespace oriel::sampling
