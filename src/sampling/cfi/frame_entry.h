// One entry of .eh_frame (an FDE with the CIE it refers to), taken apart.
#pragma once

#include <cstdint>

#include "sampling/cfi/byte_cursor.h"
#include "sampling/cfi/frame_tables.h"

namespace oriel::sampling {

struct FrameEntry {
  uintptr_t code_low = 0;
  uintptr_t code_high = 0;
  uint64_t code_align = 1;
  int64_t data_align = 1;
  uint64_t return_register = 0;
  bool is_signal_frame = false;
  ByteCursor initial{nullptr, nullptr};  // the CIE's instructions
  ByteCursor program{nullptr, nullptr};  // the FDE's
};

// Returns whether the entry at `offset` is whole and of a kind we understand. Async-safe.
bool read_frame_entry(const FrameTable& table, size_t offset, FrameEntry& entry);

}  // namespace oriel::sampling
