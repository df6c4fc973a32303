#include "assembly/metadata.h"

#include <algorithm>

#include "il/byte_reader.h"
#include "il/compressed.h"
#include "il/stream_name.h"

namespace oriel::assembly {

using il::ByteReader;

Result<Metadata> Metadata::parse(std::span<const uint8_t> root) {
  constexpr uint32_t kMetadataSignature = 0x424a5342;
  Metadata metadata;
  ByteReader reader(root);
  if (reader.read<uint32_t>() != kMetadataSignature) return Status::error("it has no metadata");
  reader.skip(8);
  reader.skip(reader.read<uint32_t>());  // the version's text
  reader.skip(2);
  const uint16_t streams = reader.read<uint16_t>();
  for (uint16_t i = 0; i < streams && reader.ok(); ++i) {
    const uint32_t offset = reader.read<uint32_t>(), size = reader.read<uint32_t>();
    const std::string name = il::stream_name(reader);
    if (offset > root.size() || size > root.size() - offset) return Status::error("its metadata is cut short");
    const std::span<const uint8_t> stream = root.subspan(offset, size);
    if (name == "#~") metadata.stream_ = stream;
    if (name == "#Strings") metadata.strings_ = stream;
    if (name == "#Blob") metadata.blobs_ = stream;
    if (name == "#GUID") metadata.guids_ = stream;
  }
  if (!reader.ok() || metadata.stream_.empty()) return Status::error("its metadata is cut short");
  if (Status status = metadata.read_tables(); !status) return status;
  return metadata;
}

Status Metadata::read_tables() {
  ByteReader reader(stream_, 6);
  const uint8_t heap_sizes = reader.read<uint8_t>();
  reader.skip(1);
  const uint64_t present = reader.read<uint64_t>();
  reader.skip(8);
  for (size_t i = 0; i < kTables; ++i)
    if (present >> i & 1) tables_[i].rows = reader.read<uint32_t>();
  const RowSizes sizes(heap_sizes, [this](unsigned table) { return tables_[table].rows; });
  size_t at = reader.at();
  for (unsigned i = 0; i < kTables; ++i) {
    TableRows& table = tables_[i];
    if (table.rows == 0) continue;
    for (const char kind : columns_of(i)) {
      table.offsets.push_back(static_cast<uint8_t>(table.row_bytes));
      table.sizes.push_back(static_cast<uint8_t>(sizes.column(kind)));
      table.row_bytes += table.sizes.back();
    }
    if (table.row_bytes == 0) return Status::error("its metadata has tables that nobody knows");
    table.begin = at;
    at += size_t{table.rows} * table.row_bytes;
  }
  return reader.ok() && at <= stream_.size() ? Status::ok() : Status::error("its metadata is cut short");
}

uint32_t Metadata::cell(Table which, uint32_t row, unsigned column) const {
  const TableRows& table = of(which);
  if (row == 0 || row > table.rows || column >= table.offsets.size()) return 0;
  ByteReader reader(stream_, table.begin + size_t{row - 1} * table.row_bytes + table.offsets[column]);
  switch (table.sizes[column]) {
    case 1:
      return reader.read<uint8_t>();
    case 2:
      return reader.read<uint16_t>();
    default:
      return reader.read<uint32_t>();
  }
}

uint32_t Metadata::token(Table table, uint32_t row, unsigned column) const {
  const std::string_view columns = columns_of(static_cast<unsigned>(table));
  return column < columns.size() ? token_of(columns[column], cell(table, row, column)) : 0;
}

std::string Metadata::string(Table table, uint32_t row, unsigned column) const {
  const uint32_t at = cell(table, row, column);
  if (at >= strings_.size()) return {};
  // Names have at most 1,023 bytes (II.22). Many rows may share one text, and each read copies it.
  constexpr size_t kLongest = 4096;
  const std::span<const uint8_t> text = strings_.subspan(at, std::min(kLongest, strings_.size() - at));
  return {text.begin(), std::ranges::find(text, uint8_t{0})};
}

std::span<const uint8_t> Metadata::blob(Table table, uint32_t row, unsigned column) const {
  ByteReader reader(blobs_, cell(table, row, column));
  const uint32_t size = il::read_compressed(reader);
  return reader.has(size) ? blobs_.subspan(reader.at(), size) : std::span<const uint8_t>();
}

std::span<const uint8_t> Metadata::guid(Table table, uint32_t row, unsigned column) const {
  constexpr size_t kBytes = 16;
  const uint32_t number = cell(table, row, column);
  if (number == 0 || size_t{number} * kBytes > guids_.size()) return {};
  return guids_.subspan(size_t{number - 1} * kBytes, kBytes);
}

Metadata::Range Metadata::owned(Table table, uint32_t row, unsigned column, Table other) const {
  const uint32_t all = rows(other) + 1;
  Range range{std::clamp(cell(table, row, column), 1u, all), all};
  if (row < rows(table)) range.end = std::clamp(cell(table, row + 1, column), range.begin, all);
  return range;
}

}  // namespace oriel::assembly
