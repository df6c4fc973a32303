// An assembly's metadata (ECMA-335 II.24): heaps, and cells of tables. It is not trusted: what does not exist reads as
// zero or empty.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "assembly/rows.h"
#include "base/status.h"

namespace oriel::assembly {

class Metadata {
 public:
  // `root` must outlive it.
  static Result<Metadata> parse(std::span<const uint8_t> root);

  uint32_t rows(Table table) const { return of(table).rows; }
  // A cell as a number: an index into a heap, a row of another table, flags. Rows count from 1, columns from 0.
  uint32_t cell(Table table, uint32_t row, unsigned column) const;
  // A cell that refers to another table, as a token; 0 for none.
  uint32_t token(Table table, uint32_t row, unsigned column) const;
  // For a column of that kind.
  std::string string(Table table, uint32_t row, unsigned column) const;
  std::span<const uint8_t> blob(Table table, uint32_t row, unsigned column) const;
  std::span<const uint8_t> guid(Table table, uint32_t row, unsigned column) const;  // 16 bytes, or empty
  // The rows of another table that belong to this row, whose column holds the first of them: up to the next row's
  // first.
  struct Range {
    uint32_t begin = 0;
    uint32_t end = 0;
  };
  Range owned(Table table, uint32_t row, unsigned column, Table other) const;

 private:
  static constexpr size_t kTables = 64;
  struct TableRows {
    uint32_t rows = 0;
    uint32_t row_bytes = 0;
    size_t begin = 0;
    std::vector<uint8_t> offsets;  // of its columns
    std::vector<uint8_t> sizes;
  };
  const TableRows& of(Table table) const { return tables_[static_cast<size_t>(table)]; }
  Status read_tables();

  std::span<const uint8_t> strings_, blobs_, guids_, stream_;
  std::array<TableRows, kTables> tables_;
};

}  // namespace oriel::assembly
