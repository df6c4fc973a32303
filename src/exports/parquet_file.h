// Writes rows as a Parquet file, which many programs read. A row group at a time is in memory. After Apache Parquet's
// README.md and parquet.thrift.
#pragma once

#include <cstdint>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "exports/parquet_column.h"
#include "query/database.h"

namespace oriel::exports {

class ParquetFile final : public query::Answers {
 public:
  // `is_text` says which columns have texts, by their order; the others have integers. Any cell may be null. The
  // stream's state is for the caller to look at.
  ParquetFile(std::ostream& out, std::vector<bool> is_text) : out_(out), is_text_(std::move(is_text)) {}

  Status begin(const std::vector<std::string>& columns) override;
  Status row(std::span<const query::Cell> cells) override;
  Status end() override;

  // Of a row group: what is reached first.
  static constexpr size_t kMostRows = 1u << 16;
  static constexpr size_t kMostBytes = 16u << 20;

 private:
  struct RowGroup {
    int64_t rows = 0;
    std::vector<ParquetChunk> chunks;
  };

  void write(const std::string& bytes);
  void end_row_group();
  std::string footer() const;
  void describe_columns(ThriftStruct& file) const;
  void describe(const RowGroup& group, ThriftStruct& fields) const;
  void describe(const ParquetColumnInfo& info, const ParquetChunk& chunk, ThriftStruct& fields) const;

  std::ostream& out_;
  std::vector<bool> is_text_;
  int64_t offset_ = 0;
  std::vector<ParquetColumnInfo> infos_;
  std::vector<ParquetColumn> columns_;
  size_t rows_ = 0;  // of the row group that is open
  std::vector<RowGroup> groups_;
};

}  // namespace oriel::exports
