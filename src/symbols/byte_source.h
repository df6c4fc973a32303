// Bytes of an ELF image, in a file or in memory. Every read is checked: files are read, not mapped, since a mapped file
// that somebody shortens kills the process that looks at it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include "symbols/page_vector.h"

namespace oriel::symbols {

class ByteSource {
 public:
  // An open file; the source closes it.
  explicit ByteSource(int file);
  // Memory that stays mapped while the source is used.
  ByteSource(const void* memory, size_t size) : memory_(static_cast<const uint8_t*>(memory)), size_(size) {}
  ~ByteSource();
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  uint64_t size() const { return size_; }

  // Copies [offset, offset + size) to `to`. Returns whether all of it is there.
  bool read(uint64_t offset, void* to, size_t size) const;

  // The same as a vector of `count` plain structs; empty if not all of them are there.
  template <typename T>
  PageVector<T> read_array(uint64_t offset, uint64_t count) const {
    if (count == 0 || count > size_ / sizeof(T)) return {};
    PageVector<T> items(static_cast<size_t>(count));
    if (!read(offset, items.data(), items.size() * sizeof(T))) items.clear();
    return items;
  }

 private:
  const uint8_t* memory_ = nullptr;
  int file_ = -1;
  uint64_t size_ = 0;
};

}  // namespace oriel::symbols
