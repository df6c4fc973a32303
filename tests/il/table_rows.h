// The columns of metadata tables, ECMA-335 II.22, as far as their sizes go.
#pragma once

#include <cstdint>
#include <functional>

namespace oriel::il::test {

class RowSizes {
 public:
  RowSizes(uint8_t heap_sizes, std::function<uint32_t(unsigned table)> rows)
      : heap_sizes_(heap_sizes), rows_(std::move(rows)) {}

  // Bytes of a row; 0 of a table nobody knows.
  uint32_t row_bytes(unsigned table) const;
  // Bytes of a column by its letter, see table_rows.cc.
  uint32_t column(char kind) const;
  uint32_t table_index(unsigned table) const { return rows_(table) > 0xffff ? 4 : 2; }

 private:
  uint32_t coded(unsigned tag_bits, std::initializer_list<unsigned> tables) const;

  uint8_t heap_sizes_;
  std::function<uint32_t(unsigned table)> rows_;
};

}  // namespace oriel::il::test
