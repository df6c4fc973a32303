#include "sampling/cfi/frame_tables.h"

namespace oriel::sampling {

constinit std::atomic<const FrameTables*> frame_tables{nullptr};

const FrameTable* find_frame_table(const FrameTables& all, uintptr_t pc) {
  size_t low = 0, high = all.count;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (pc >= all.tables[middle].code_high) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == all.count || pc < all.tables[low].code_low) return nullptr;
  return &all.tables[low];
}

bool find_frame_entry(const FrameTable& table, uintptr_t pc, size_t& offset) {
  const int64_t wanted = static_cast<int64_t>(pc - table.index_base);
  size_t low = 0, high = table.index_size;
  while (low < high) {
    const size_t middle = low + (high - low) / 2;
    if (table.index[middle].code <= wanted) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  if (low == 0) return false;
  offset = table.index_base + static_cast<uintptr_t>(int64_t{table.index[low - 1].frame}) - table.frames_base;
  return offset < table.frames_size;
}

}  // namespace oriel::sampling
