// Writes the chunks of a heap snapshot as whole blocks into a file. For a forked copy of a process: it takes all its
// memory at the start, locks nothing, and keeps errors to itself.
#pragma once

#include <cstddef>
#include <cstdint>

#include "base/varint.h"
#include "log/format.h"
#include "log/heap_chunk.h"

namespace oriel::log {

class HeapChunkWriter {
 public:
  // The bytes of memory that it needs, aligned to 16. They need not be zero.
  static size_t memory_bytes();

  // Writes to `file`; `memory` must outlive it.
  HeapChunkWriter(void* memory, int file, uint64_t snapshot);

  // The next object: its type's number, its address, its bytes as the heap rounds them, and its length if its type has
  // elements.
  void object(uint64_t type, uint64_t address, uint64_t bytes, bool has_length, uint64_t length) {
    if (objects_ == kMostObjects) end_objects();
    const uint64_t expected = objects_ == 0 ? 0 : expected_;
    ++objects_;
    types_.end = write_varint(types_.end, type);
    gaps_.end = write_varint(gaps_.end, zigzag(static_cast<int64_t>(address - expected) >> 3));
    if (has_length) lengths_.end = write_varint(lengths_.end, length);
    expected_ = address + bytes;
  }
  // The next slot: of object `from`, 0 or the number of the object that it refers to, + 1.
  void slot(uint64_t from, uint64_t target_and_1) {
    if (slots_ == kMostSlots) end_slots();
    ++slots_;
    const uint64_t value =
        target_and_1 == 0 ? 0 : zigzag(static_cast<int64_t>(target_and_1 - 1) - static_cast<int64_t>(from)) + 1;
    references_.end = write_varint(references_.end, value);
  }
  // The next value of an object.
  void value(int64_t value) {
    if (value_count_ == kMostValues) end_values();
    ++value_count_;
    values_.end = write_varint(values_.end, zigzag(value));
  }
  // Writes what is left. Objects, slots and values may be written in any order of these, each kind in its own.
  void finish() {
    end_objects();
    end_slots();
    end_values();
  }

  // errno of the first write that failed, or 0; nothing is written after it.
  int error() const { return error_; }
  uint64_t bytes_written() const { return written_; }

 private:
  static constexpr uint64_t kMostObjects = 1 << 16, kMostSlots = 1 << 17, kMostValues = 1 << 17;
  struct Stream {
    uint8_t* begin = nullptr;
    uint8_t* end = nullptr;
    size_t size() const { return static_cast<size_t>(end - begin); }
  };

  void end_objects();
  void end_slots();
  void end_values();
  // Compresses `raw` and writes it as a block.
  void write(Block code, uint64_t first, uint64_t count, const uint8_t* raw, size_t size);

  int file_;
  uint64_t snapshot_;
  void* compressor_ = nullptr;
  uint8_t* block_ = nullptr;  // room for a compressed block
  uint8_t* head_ = nullptr;   // room before the three streams of objects, which are moved together
  Stream types_, gaps_, lengths_, references_, values_;
  uint64_t first_object_ = 0, objects_ = 0, first_slot_ = 0, slots_ = 0, first_value_ = 0, value_count_ = 0;
  uint64_t expected_ = 0;
  uint64_t written_ = 0;
  int error_ = 0;
};

}  // namespace oriel::log
