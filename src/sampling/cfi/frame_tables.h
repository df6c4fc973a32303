// Call-frame information (DWARF .eh_frame) of the loaded libraries, in separate mappings, so that a handler may read it
// while the program unloads them: of the library's file, which loads only the pages used, or else copies.
// frame_loader.cc makes them; handlers only look things up.
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

// One library. Addresses are those of the originals, pointers those of the separate mapping.
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
  uint64_t build = 0;  // a hash of the library's notes, including its build id; 0: it has none
};

// All libraries, sorted by code_low. Immutable once published; freed when no handler can still see them.
struct FrameTables {
  uint64_t generation = 0;
  size_t count = 0;
  const FrameTable* tables = nullptr;
};

extern std::atomic<const FrameTables*> frame_tables;

// The library whose code contains `pc`, or nullptr. Async-safe.
const FrameTable* find_frame_table(const FrameTables& all, uintptr_t pc);

// Offset in table.frames of the entry (FDE) that may cover `pc`. Returns whether there is one. Async-safe.
bool find_frame_entry(const FrameTable& table, uintptr_t pc, size_t& offset);

// One decoded entry of .eh_frame (an FDE with its CIE).
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

// Returns whether the entry at `offset` is complete and of a known kind. Async-safe.
bool read_frame_entry(const FrameTable& table, size_t offset, FrameEntry& entry);

// The entry of any library that covers `pc`. Returns whether there is one. Async-safe.
bool frame_entry_of(const FrameTables& all, uintptr_t pc, FrameEntry& entry);

// The C library if that has no call-frame information, as musl has none; else nothing.
extern std::atomic<uintptr_t> bare_libc_low, bare_libc_high;

// Whether this is in it. Async-safe.
inline bool is_bare_libc(uintptr_t pc) {
  return pc >= bare_libc_low.load(std::memory_order_acquire) && pc < bare_libc_high.load(std::memory_order_relaxed);
}

// Makes new mappings if libraries were loaded or unloaded since the last call. The old ones are freed if
// `walks_have_ended`, which may wait, returns that every earlier walk has ended; else they are leaked. Not in a
// handler; a concurrent call does nothing.
void copy_frame_tables(bool (*walks_have_ended)());

}  // namespace oriel::sampling
