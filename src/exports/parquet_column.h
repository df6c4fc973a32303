// A column of a Parquet file: its values since the row group before, and the pages that they become. After Apache
// Parquet's parquet.thrift and Encodings.md.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "exports/thrift.h"

namespace oriel::exports {

struct ParquetColumnInfo {
  std::string name;
  bool is_text = false;  // else it has integers of 64 bits
};

// A column of one row group in the file.
struct ParquetChunk {
  int64_t dictionary_offset = -1;  // -1: it has none
  int64_t data_offset = 0;
  int64_t values = 0;  // nulls too
  int64_t nulls = 0;
  int64_t raw_bytes = 0;     // of pages and their headers before compression,
  int64_t stored_bytes = 0;  // and in the file
  int64_t least = 0, most = 0;

  bool has_range(const ParquetColumnInfo& info) const { return !info.is_text && nulls < values; }
};

class ParquetColumn {
 public:
  void add_null() { present_.push_back(0); }
  void add(int64_t value);
  void add(std::string_view text);
  // What the values take in memory, about.
  size_t bytes() const { return present_.size() + 8 * integers_.size() + 4 * words_.size() + text_bytes_; }

  // Appends the pages of what was added since the last call to `to`, which stands in the file at `offset`.
  ParquetChunk take_pages(const ParquetColumnInfo& info, int64_t offset, std::string& to);

 private:
  std::string levels() const;
  std::string dictionary() const;
  std::string values(const ParquetColumnInfo& info) const;

  std::vector<uint8_t> present_;  // for each row whether it has a value
  std::vector<int64_t> integers_;
  std::unordered_map<std::string, uint32_t> known_;  // texts by the number in which they came first
  std::vector<const std::string*> texts_;
  std::vector<uint32_t> words_;  // their numbers
  size_t text_bytes_ = 0;
};

}  // namespace oriel::exports
