#include "pdb/pdb.h"

#include <algorithm>
#include <array>
#include <bit>
#include <iterator>
#include <string_view>
#include <utility>

#include "base/text/hex.h"
#include "il/byte_reader.h"
#include "il/compressed.h"
#include "il/stream_name.h"
#include "pdb/inflated.h"
#include "pdb/sequence_points.h"

namespace oriel::pdb {
namespace {

using il::ByteReader;

constexpr unsigned kCodeMethodTable = 0x06;
constexpr unsigned kDocumentTable = 0x30, kMethodTable = 0x31, kScopeTable = 0x32, kVariableTable = 0x33,
                   kConstantTable = 0x34, kImportTable = 0x35, kMachineTable = 0x36, kCustomTable = 0x37;
// The tables that custom debug information may describe, by tag.
constexpr uint8_t kDescribedTables[] = {0x06, 0x04, 0x01, 0x02, 0x08, 0x09, 0x0a, 0x00, 0x0e,
                                        0x17, 0x14, 0x11, 0x1a, 0x1b, 0x20, 0x23, 0x26, 0x27,
                                        0x28, 0x2a, 0x2c, 0x2b, 0x30, 0x32, 0x33, 0x34, 0x35};
constexpr unsigned kDescribedBits = 5;
constexpr uint32_t kModuleTag = 7, kDocumentTag = 22;
constexpr size_t kIdBytes = 20;
// 0E8A571B-6926-466E-B4AD-8AB04611F5FE
constexpr uint8_t kSourceKind[] = {0x1b, 0x57, 0x8a, 0x0e, 0x26, 0x69, 0x6e, 0x46,
                                   0xb4, 0xad, 0x8a, 0xb0, 0x46, 0x11, 0xf5, 0xfe};

// Many rows may refer to one piece of the file, and each gets a copy when it is read: together they may have these
// multiples of the file's size. Methods with identical lines share them, which is rare. Paths share their folders.
// Texts are deflated.
constexpr uint64_t kMostPoints = 4, kMostNames = 10, kMostText = 10, kMostOfAny = 1'000'000;

Status broken(const char* what) { return Status::error(std::string("not a portable PDB, or a damaged one: ") + what); }

uint32_t index(ByteReader& reader, bool wide) { return wide ? reader.read<uint32_t>() : reader.read<uint16_t>(); }

}  // namespace

Result<Pdb> Pdb::parse(std::vector<uint8_t> bytes) {
  Pdb pdb;
  pdb.bytes_ = std::move(bytes);
  if (Status status = pdb.read_streams(); !status) return status;
  if (pdb.pdb_stream_.size() < kIdBytes) return broken("it has no id");
  pdb.id_ = hex(pdb.pdb_stream_.first(kIdBytes));
  if (Status status = pdb.read_tables(); !status) return status;
  if (Status status = pdb.check_sharing(); !status) return status;
  pdb.has_too_much_text_ = pdb.bytes_of_sources() > kMostText * pdb.size() + kMostOfAny;
  return pdb;
}

Status Pdb::check_sharing() const {
  if (bytes_of_points() > kMostPoints * size()) return broken("its methods share their lines");
  if (bytes_of_names() > kMostNames * size() + kMostOfAny) return broken("its documents share their names");
  return Status::ok();
}

uint64_t Pdb::bytes_of_names() const {
  uint64_t bytes = 0;
  for (uint32_t number = 1; number <= documents_.rows; ++number) {
    ByteReader reader(row(documents_, number));
    bytes += document_name(index(reader, wide_.blobs)).size();
  }
  return bytes;
}

uint64_t Pdb::bytes_of_sources() const {
  uint64_t bytes = 0;
  for (uint32_t number = 1; number <= custom_.rows; ++number) {
    ByteReader reader(row(custom_, number));
    index(reader, wide_.described);
    if (!std::ranges::equal(guid(index(reader, wide_.guids)), kSourceKind)) continue;
    const std::span<const uint8_t> value = blob(index(reader, wide_.blobs));
    ByteReader source(value);
    const uint32_t size = source.read<uint32_t>();
    bytes += size == 0 ? value.size() : size;
  }
  return bytes;
}

uint64_t Pdb::bytes_of_points() const {
  uint64_t bytes = 0;
  for (uint32_t number = 1; number <= methods_.rows; ++number) {
    ByteReader reader(row(methods_, number));
    index(reader, wide_.documents);
    bytes += blob(index(reader, wide_.blobs)).size();
  }
  return bytes;
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
    const std::string name = il::stream_name(reader);
    if (offset > all.size() || size > all.size() - offset) return broken("a stream ends behind its end");
    const std::span<const uint8_t> stream = all.subspan(offset, size);
    if (name == "#Pdb") pdb_stream_ = stream;
    if (name == "#~") tables_stream_ = stream;
    if (name == "#Blob") blobs_ = stream;
    if (name == "#GUID") guids_ = stream;
  }
  return reader.ok() ? Status::ok() : broken("its header is cut short");
}

void Pdb::find_widths(uint8_t heaps, std::span<const uint32_t> rows) {
  constexpr uint8_t kWideStrings = 1, kWideGuids = 2, kWideBlobs = 4;
  constexpr uint32_t kNarrow = 0xffff;
  wide_.strings = (heaps & kWideStrings) != 0;
  wide_.guids = (heaps & kWideGuids) != 0;
  wide_.blobs = (heaps & kWideBlobs) != 0;
  wide_.documents = rows[kDocumentTable] > kNarrow;
  wide_.methods = rows[kCodeMethodTable] > kNarrow;
  wide_.variables = rows[kVariableTable] > kNarrow;
  wide_.constants = rows[kConstantTable] > kNarrow;
  wide_.imports = rows[kImportTable] > kNarrow;
  for (const uint8_t table : kDescribedTables) wide_.described |= rows[table] > kNarrow >> kDescribedBits;
}

uint32_t Pdb::row_size(unsigned table) const {
  const auto size = [](bool wide) { return wide ? 4u : 2u; };
  switch (table) {
    case kDocumentTable:
      return 2 * size(wide_.blobs) + 2 * size(wide_.guids);
    case kMethodTable:
      return size(wide_.documents) + size(wide_.blobs);
    case kScopeTable:
      return size(wide_.methods) + size(wide_.imports) + size(wide_.variables) + size(wide_.constants) + 8;
    case kVariableTable:
      return 4 + size(wide_.strings);
    case kConstantTable:
      return size(wide_.strings) + size(wide_.blobs);
    case kImportTable:
      return size(wide_.imports) + size(wide_.blobs);
    case kMachineTable:
      return 2 * size(wide_.methods);
    case kCustomTable:
      return size(wide_.described) + size(wide_.guids) + size(wide_.blobs);
    default:
      return 0;
  }
}

// Document and method tables come first; the code's tables are in the image, and only their row counts are here.
Status Pdb::read_tables() {
  constexpr size_t kTables = 64;
  std::array<uint32_t, kTables> rows{};
  ByteReader of_code(pdb_stream_, kIdBytes + 4);
  for (uint64_t left = of_code.read<uint64_t>(); left != 0; left &= left - 1)
    rows[static_cast<size_t>(std::countr_zero(left))] = of_code.read<uint32_t>();
  ByteReader reader(tables_stream_);
  reader.skip(6);
  const uint8_t heaps = reader.read<uint8_t>();
  reader.skip(1);
  const auto present = reader.read<uint64_t>();
  reader.skip(8);
  if ((present & ((uint64_t{1} << kDocumentTable) - 1)) != 0) return broken("it has tables of code");
  for (uint64_t left = present; left != 0; left &= left - 1)
    rows[static_cast<size_t>(std::countr_zero(left))] = reader.read<uint32_t>();
  find_widths(heaps, rows);
  size_t at = reader.at();
  const std::pair<unsigned, Table*> wanted[] = {
      {kDocumentTable, &documents_}, {kMethodTable, &methods_}, {kMachineTable, &machines_}, {kCustomTable, &custom_}};
  for (unsigned table = kDocumentTable; table <= kCustomTable; ++table) {
    for (const auto& [which, place] : wanted)
      if (which == table) *place = {rows[table], row_size(table), at};
    at += size_t{rows[table]} * row_size(table);
  }
  return reader.ok() && at <= tables_stream_.size() ? Status::ok() : broken("its tables are cut short");
}

std::span<const uint8_t> Pdb::row(const Table& table, uint32_t number) const {
  if (number == 0 || number > table.rows) return {};
  return tables_stream_.subspan(table.at + size_t{number - 1} * table.row_size, table.row_size);
}

std::span<const uint8_t> Pdb::guid(uint32_t number) const {
  constexpr size_t kBytes = 16;
  if (number == 0 || size_t{number} * kBytes > guids_.size()) return {};
  return guids_.subspan(size_t{number - 1} * kBytes, kBytes);
}

std::span<const uint8_t> Pdb::blob(uint32_t offset) const {
  ByteReader reader(blobs_, offset);
  const uint32_t size = il::read_compressed(reader);
  return reader.has(size) ? blobs_.subspan(reader.at(), size) : std::span<const uint8_t>();
}

// A separator, then the parts, each a blob. Stops at the maximum length of a path.
std::string Pdb::document_name(uint32_t offset) const {
  constexpr size_t kLongest = 4096;
  ByteReader reader(blob(offset));
  const char separator = reader.read<char>();
  std::string name;
  for (size_t parts = 0; reader.left() != 0 && name.size() < kLongest && parts < kLongest; ++parts) {
    if (parts > 0 && separator != '\0') name += separator;
    std::span<const uint8_t> part = blob(il::read_compressed(reader));
    part = part.first(std::min(part.size(), kLongest - name.size()));
    name.append(part.begin(), part.end());
  }
  return name;
}

Document Pdb::document(uint32_t number) const {
  const std::span<const uint8_t> bytes = row(documents_, number);
  if (bytes.empty()) return {};
  ByteReader reader(bytes);
  Document document;
  document.path = document_name(index(reader, wide_.blobs));
  index(reader, wide_.guids);  // the hash algorithm, implied by the hash's length
  const std::span<const uint8_t> hash = blob(index(reader, wide_.blobs));
  constexpr size_t kHashes[] = {16, 20, 32};  // MD5, SHA-1, SHA-256
  if (std::ranges::find(kHashes, hash.size()) != std::end(kHashes)) document.hash.assign(hash.begin(), hash.end());
  return document;
}

std::vector<SequencePoint> Pdb::points(uint32_t method_row) const {
  const std::span<const uint8_t> bytes = row(methods_, method_row);
  if (bytes.empty()) return {};
  ByteReader reader(bytes);
  const uint32_t document = index(reader, wide_.documents);
  const uint32_t offset = index(reader, wide_.blobs);
  return offset == 0 ? std::vector<SequencePoint>() : read_points(blob(offset), document);
}

std::map<uint32_t, uint32_t> Pdb::state_machines() const {
  std::map<uint32_t, uint32_t> machines;
  for (uint32_t number = 1; number <= machines_.rows; ++number) {
    ByteReader reader(row(machines_, number));
    const uint32_t runs = index(reader, wide_.methods);
    machines[runs] = index(reader, wide_.methods);
  }
  return machines;
}

// The table is sorted by what it describes (required by II.24.2.6).
std::span<const uint8_t> Pdb::custom(uint32_t parent, std::span<const uint8_t> kind) const {
  const auto described = [&](uint32_t number) {
    ByteReader reader(row(custom_, number));
    return index(reader, wide_.described);
  };
  uint32_t first = 1, end = custom_.rows + 1;
  while (first < end) {
    const uint32_t middle = first + (end - first) / 2;
    if (described(middle) < parent) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  for (uint32_t number = first; number <= custom_.rows; ++number) {
    ByteReader reader(row(custom_, number));
    if (index(reader, wide_.described) != parent) break;
    const uint32_t kind_of = index(reader, wide_.guids);
    const uint32_t value = index(reader, wide_.blobs);
    if (std::ranges::equal(guid(kind_of), kind)) return blob(value);
  }
  return {};
}

// CC110556-A091-4D38-9FEC-25AB9A351A6A
std::string Pdb::source_link() const {
  constexpr uint8_t kKind[] = {0x56, 0x05, 0x11, 0xcc, 0x91, 0xa0, 0x38, 0x4d,
                               0x9f, 0xec, 0x25, 0xab, 0x9a, 0x35, 0x1a, 0x6a};
  const std::span<const uint8_t> text = custom(1u << kDescribedBits | kModuleTag, kKind);
  return {text.begin(), text.end()};
}

// The inflated size, or 0 if it is not deflated, then the text.
std::optional<std::string> Pdb::source(uint32_t document_row) const {
  if (has_too_much_text_) return std::nullopt;
  const std::span<const uint8_t> value = custom(document_row << kDescribedBits | kDocumentTag, kSourceKind);
  ByteReader reader(value);
  const uint32_t size = reader.read<uint32_t>();
  if (!reader.ok()) return std::nullopt;
  const std::span<const uint8_t> data = value.subspan(reader.at());
  if (size == 0) return std::string(data.begin(), data.end());
  std::string text = inflated_text(data, size);
  return text.empty() ? std::nullopt : std::optional(std::move(text));
}

}  // namespace oriel::pdb
