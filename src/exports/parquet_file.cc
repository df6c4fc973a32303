#include "exports/parquet_file.h"

#include <utility>

#include "base/version.h"
#include "exports/parquet_format.h"

namespace oriel::exports {
namespace {

int32_t type_of(const ParquetColumnInfo& info) { return info.is_text ? parquet::kByteArray : parquet::kInt64; }

}  // namespace

void ParquetFile::write(const std::string& bytes) {
  out_.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  offset_ += static_cast<int64_t>(bytes.size());
}

Status ParquetFile::begin(const std::vector<std::string>& columns) {
  for (size_t i = 0; i < columns.size(); ++i) infos_.push_back({columns[i], i < is_text_.size() && is_text_[i]});
  columns_.resize(columns.size());
  write(parquet::kMagic);
  return Status::ok();
}

Status ParquetFile::row(std::span<const query::Cell> cells) {
  using Cell = query::Cell;
  for (size_t i = 0; i < cells.size(); ++i) {
    const Cell& cell = cells[i];
    ParquetColumn& column = columns_[i];
    if (cell.type == Cell::Type::kNull)
      column.add_null();
    else if (infos_[i].is_text)
      column.add(cell.text);
    else
      column.add(cell.type == Cell::Type::kReal ? static_cast<int64_t>(cell.real) : cell.integer);
  }
  size_t bytes = 0;
  for (const ParquetColumn& column : columns_) bytes += column.bytes();
  if (++rows_ >= kMostRows || bytes >= kMostBytes) end_row_group();
  return out_ ? Status::ok() : Status::error("the tables cannot be written; is the disk full?");
}

void ParquetFile::end_row_group() {
  if (rows_ == 0) return;
  RowGroup group;
  group.rows = static_cast<int64_t>(std::exchange(rows_, 0));
  std::string pages;
  for (size_t i = 0; i < columns_.size(); ++i) {
    group.chunks.push_back(columns_[i].take_pages(infos_[i], offset_, pages));
    write(std::exchange(pages, {}));
  }
  groups_.push_back(std::move(group));
}

void ParquetFile::describe_columns(ThriftStruct& file) const {
  std::vector<const ParquetColumnInfo*> all = {nullptr};  // the row itself
  for (const ParquetColumnInfo& info : infos_) all.push_back(&info);
  file.records(2, all, [&](ThriftStruct& fields, const ParquetColumnInfo* info) {
    if (!info) {
      fields.text(4, "row");
      fields.i32(5, static_cast<int32_t>(infos_.size()));
      return;
    }
    fields.i32(1, type_of(*info));
    fields.i32(3, parquet::kOptional);
    fields.text(4, info->name);
    if (!info->is_text) return;
    fields.i32(6, parquet::kUtf8);
    fields.record(10, [](ThriftStruct& type) { type.record(1, [](ThriftStruct&) {}); });
  });
}

void ParquetFile::describe(const ParquetColumnInfo& info, const ParquetChunk& chunk, ThriftStruct& fields) const {
  const bool has_dictionary = chunk.dictionary_offset >= 0;
  fields.i32(1, type_of(info));
  fields.numbers(2, has_dictionary ? std::vector<int32_t>{parquet::kPlain, parquet::kRle, parquet::kRleDictionary}
                                   : std::vector<int32_t>{parquet::kPlain, parquet::kRle});
  fields.texts(3, {info.name});
  fields.i32(4, parquet::kZstd);
  fields.i64(5, chunk.values);
  fields.i64(6, chunk.raw_bytes);
  fields.i64(7, chunk.stored_bytes);
  fields.i64(9, chunk.data_offset);
  if (has_dictionary) fields.i64(11, chunk.dictionary_offset);
  fields.record(12, [&](ThriftStruct& statistics) {
    statistics.i64(3, chunk.nulls);
    if (!chunk.has_range(info)) return;
    statistics.text(5, parquet::little_endian(static_cast<uint64_t>(chunk.most), 8));
    statistics.text(6, parquet::little_endian(static_cast<uint64_t>(chunk.least), 8));
  });
}

void ParquetFile::describe(const RowGroup& group, ThriftStruct& fields) const {
  std::vector<size_t> columns(group.chunks.size());
  for (size_t i = 0; i < columns.size(); ++i) columns[i] = i;
  int64_t raw_bytes = 0, stored_bytes = 0;
  for (const ParquetChunk& chunk : group.chunks) {
    raw_bytes += chunk.raw_bytes;
    stored_bytes += chunk.stored_bytes;
  }
  fields.records(1, columns, [&](ThriftStruct& column, size_t at) {
    column.i64(2, 0);  // a copy of the description elsewhere in the file: there is none
    column.record(3, [&](ThriftStruct& chunk) { describe(infos_[at], group.chunks[at], chunk); });
  });
  fields.i64(2, raw_bytes);
  fields.i64(3, group.rows);
  fields.i64(6, stored_bytes);
}

std::string ParquetFile::footer() const {
  std::string footer;
  int64_t rows = 0;
  for (const RowGroup& group : groups_) rows += group.rows;
  {
    ThriftStruct file(footer);
    file.i32(1, parquet::kFormatVersion);
    describe_columns(file);
    file.i64(3, rows);
    file.records(4, groups_, [&](ThriftStruct& fields, const RowGroup& group) { describe(group, fields); });
    file.text(6, std::string("oriel version ") + version_text());
    // Least and most values compare as their types do.
    file.records(7, infos_,
                 [](ThriftStruct& order, const ParquetColumnInfo&) { order.record(1, [](ThriftStruct&) {}); });
  }
  return footer + parquet::little_endian(footer.size(), 4) + parquet::kMagic;
}

Status ParquetFile::end() {
  end_row_group();
  write(footer());
  return Status::ok();
}

}  // namespace oriel::exports
