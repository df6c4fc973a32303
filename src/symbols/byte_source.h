// Bytes of an ELF image, in a file or in memory. Every read is checked. Files are read, not mapped: truncating a mapped
// file kills the process that accesses it.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include "base/files/input_file.h"
#include "symbols/page_vector.h"

namespace oriel::symbols {

class ByteSource {
 public:
  // Larger files are not symbol files: those of the largest programs have some gigabytes.
  static constexpr uint64_t kMostBytes = uint64_t{16} << 30;

  // The file at `path`; no bytes if it is no file or unreadable.
  explicit ByteSource(const std::string& path);
  // Memory that stays mapped while the source is used.
  ByteSource(const void* memory, size_t size) : memory_(static_cast<const uint8_t*>(memory)), size_(size) {}
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  uint64_t size() const { return size_; }

  // Copies [offset, offset + size) to `to`. Returns whether all of it exists.
  bool read(uint64_t offset, void* to, size_t size) const;

  // Likewise as a vector of `count` plain structs; empty if not all of them exist.
  template <typename T>
  PageVector<T> read_array(uint64_t offset, uint64_t count) const {
    if (count == 0 || count > std::min(size_, kMostArray) / sizeof(T)) return {};
    PageVector<T> items(static_cast<size_t>(count));
    if (!read(offset, items.data(), items.size() * sizeof(T))) items.clear();
    return items;
  }

 private:
  // No symbol table or string table is larger; a sparse file may claim a huge one.
  static constexpr uint64_t kMostArray = uint64_t{1} << 30;

  const uint8_t* memory_ = nullptr;
  std::optional<InputFile> file_;
  uint64_t size_ = 0;
};

}  // namespace oriel::symbols
