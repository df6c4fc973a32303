#include "pdb/pdb.h"

#include <algorithm>
#include <bit>
#include <string_view>
#include <utility>

#include "base/hex.h"
#include "il/byte_reader.h"
#include "il/compressed.h"
#include "pdb/sequence_points.h"

namespace oriel::pdb {
namespace {

using il::ByteReader;

constexpr unsigned kDocumentTable = 0x30, kMethodTable = 0x31;
constexpr size_t kIdBytes = 20;

Status broken(const char* what) { return Status::error(std::string("not a portable PDB, or a damaged one: ") + what); }

uint32_t index(ByteReader& reader, bool wide) { return wide ? reader.read<uint32_t>() : reader.read<uint16_t>(); }

// Up to its NUL, which with what fills up to a multiple of four is skipped too.
std::string stream_name(ByteReader& reader) {
  constexpr size_t kLongest = 32;
  std::string name;
  while (name.size() < kLongest) {
    const char c = reader.read<char>();
    if (c == '\0') break;
    name += c;
  }
  reader.align4();
  return name;
}

}  // namespace

Result<Pdb> Pdb::parse(std::vector<uint8_t> bytes) {
  Pdb pdb;
  pdb.bytes_ = std::move(bytes);
  if (Status status = pdb.read_streams(); !status) return status;
  if (pdb.pdb_stream_.size() < kIdBytes) return broken("it has no id");
  pdb.id_ = hex(pdb.pdb_stream_.first(kIdBytes));
  if (Status status = pdb.read_tables(); !status) return status;
  return pdb;
}

Status Pdb::read_streams() {
  constexpr uint32_t kSignature = 0x424a5342;
  const std::span<const uint8_t> all(bytes_);
  ByteReader reader(all);
  if (reader.read<uint32_t>() != kSignature) return broken("its signature is another");
  reader.skip(8);
  reader.skip(reader.read<uint32_t>());  // the version's text
  reader.align4();
  reader.skip(2);
  const uint16_t streams = reader.read<uint16_t>();
  for (uint16_t i = 0; i < streams && reader.ok(); ++i) {
    const uint32_t offset = reader.read<uint32_t>(), size = reader.read<uint32_t>();
    const std::string name = stream_name(reader);
    if (offset > all.size() || size > all.size() - offset) return broken("a stream ends behind its end");
    const std::span<const uint8_t> stream = all.subspan(offset, size);
    if (name == "#Pdb") pdb_stream_ = stream;
    if (name == "#~") tables_stream_ = stream;
    if (name == "#Blob") blobs_ = stream;
  }
  return reader.ok() ? Status::ok() : broken("its header is cut short");
}

// Its tables begin with those of documents and methods: those of code stand in the image.
Status Pdb::read_tables() {
  constexpr uint8_t kWideGuids = 2, kWideBlobs = 4;
  ByteReader reader(tables_stream_);
  reader.skip(6);
  const uint8_t heaps = reader.read<uint8_t>();
  reader.skip(1);
  const auto present = reader.read<uint64_t>();
  reader.skip(8);
  if ((present & ((uint64_t{1} << kDocumentTable) - 1)) != 0) return broken("it has tables of code");
  for (uint64_t left = present; left != 0; left &= left - 1) {
    const auto rows = reader.read<uint32_t>();
    const auto table = static_cast<unsigned>(std::countr_zero(left));
    if (table == kDocumentTable) documents_.rows = rows;
    if (table == kMethodTable) methods_.rows = rows;
  }
  wide_blobs_ = (heaps & kWideBlobs) != 0;
  wide_guids_ = (heaps & kWideGuids) != 0;
  wide_documents_ = documents_.rows > 0xffff;
  const uint32_t blob_size = wide_blobs_ ? 4 : 2, guid_size = wide_guids_ ? 4 : 2;
  documents_.row_size = 2 * blob_size + 2 * guid_size;
  methods_.row_size = (wide_documents_ ? 4 : 2) + blob_size;
  documents_.at = reader.at();
  methods_.at = documents_.at + size_t{documents_.rows} * documents_.row_size;
  reader.skip(size_t{documents_.rows} * documents_.row_size);
  reader.skip(size_t{methods_.rows} * methods_.row_size);
  return reader.ok() ? Status::ok() : broken("its tables are cut short");
}

std::span<const uint8_t> Pdb::row(const Table& table, uint32_t number) const {
  if (number == 0 || number > table.rows) return {};
  return tables_stream_.subspan(table.at + size_t{number - 1} * table.row_size, table.row_size);
}

std::span<const uint8_t> Pdb::blob(uint32_t offset) const {
  ByteReader reader(blobs_, offset);
  const uint32_t size = il::read_compressed(reader);
  return reader.has(size) ? blobs_.subspan(reader.at(), size) : std::span<const uint8_t>();
}

// A separator, then the parts, each of them a blob.
std::string Pdb::document_name(uint32_t offset) const {
  constexpr size_t kLongest = 1 << 16;
  ByteReader reader(blob(offset));
  const char separator = reader.read<char>();
  std::string name;
  for (bool first = true; reader.left() != 0 && name.size() < kLongest; first = false) {
    if (!first && separator != '\0') name += separator;
    const std::span<const uint8_t> part = blob(il::read_compressed(reader));
    name.append(part.begin(), part.end());
  }
  return name;
}

Document Pdb::document(uint32_t number) const {
  const std::span<const uint8_t> bytes = row(documents_, number);
  if (bytes.empty()) return {};
  ByteReader reader(bytes);
  Document document;
  document.path = document_name(index(reader, wide_blobs_));
  index(reader, wide_guids_);  // the kind of hash, which its length tells
  const std::span<const uint8_t> hash = blob(index(reader, wide_blobs_));
  document.hash.assign(hash.begin(), hash.end());
  return document;
}

std::vector<SequencePoint> Pdb::points(uint32_t method_row) const {
  const std::span<const uint8_t> bytes = row(methods_, method_row);
  if (bytes.empty()) return {};
  ByteReader reader(bytes);
  const uint32_t document = index(reader, wide_documents_);
  const uint32_t offset = index(reader, wide_blobs_);
  return offset == 0 ? std::vector<SequencePoint>() : read_points(blob(offset), document);
}

}  // namespace oriel::pdb
