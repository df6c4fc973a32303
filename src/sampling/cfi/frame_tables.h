// Call-frame information (DWARF .eh_frame) of the loaded libraries, in mappings of our own so that a handler may read
// it while the program unloads them: of the library's file, which costs only the pages that are looked at, or else
// copies. frame_loader.cc makes them, handlers only look things up.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "sampling/cfi/byte_cursor.h"

namespace oriel::sampling {

// A row of .eh_frame_hdr's search table: both relative to the header's address.
struct FrameIndexEntry {
  int32_t code;
  int32_t frame;
};

// One library. Addresses are those of the originals, pointers those of our own mapping.
struct FrameTable {
  uintptr_t code_low = 0;
  uintptr_t code_high = 0;
  uintptr_t index_base = 0;  // address of .eh_frame_hdr
  const FrameIndexEntry* index = nullptr;
  size_t index_size = 0;
  uintptr_t frames_base = 0;  // address of .eh_frame
  const uint8_t* frames = nullptr;
  size_t frames_size = 0;
  void* mapping = nullptr;
  size_t mapping_size = 0;
  uint64_t build = 0;  // a hash of the library's notes, its build id among them; 0: it has none
};

// All of them, sorted by code_low. Never changed once published; freed when no handler can still see them.
struct FrameTables {
  uint64_t generation = 0;
  size_t count = 0;
  const FrameTable* tables = nullptr;
};

extern std::atomic<const FrameTables*> frame_tables;

// The library whose code has `pc`, or nullptr. Async-safe.
const FrameTable* find_frame_table(const FrameTables& all, uintptr_t pc);

// Offset in table.frames of the entry (FDE) that may cover `pc`. Returns whether there is one. Async-safe.
bool find_frame_entry(const FrameTable& table, uintptr_t pc, size_t& offset);

// One entry of .eh_frame (an FDE with the CIE it refers to), taken apart.
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

// Makes new mappings if libraries were loaded or unloaded since the last call. The old ones are freed once
// `walks_have_ended`, which may wait, says that each walk that began before has ended; else they stay. Not in a
// handler; a second thread that calls it meanwhile does nothing.
void copy_frame_tables(bool (*walks_have_ended)());

}  // namespace oriel::sampling
