#include "pdb/mdb.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/text/hex.h"

namespace oriel::pdb {
namespace {

using il::ByteReader;

constexpr uint64_t kMagic = 0x45e82623fd7fa614;
constexpr uint32_t kVersion = 50;
constexpr size_t kGuidBytes = 16, kHashBytes = 16;
constexpr uint32_t kMethodBytes = 12, kDocumentBytes = 8;
constexpr uint32_t kMethodTokens = 0x06000000, kLastRow = 0x00ffffff;
constexpr uint32_t kHasColumns = 2, kHasEnds = 4;
constexpr size_t kLongestName = 4096;

// As in pdb.cc: what many rows may refer to, each row has a copy of.
constexpr uint64_t kNamesOfFile = 10, kNamesOfAny = 1'000'000;

Status damaged(const char* what) { return Status::error(std::string("not an .mdb, or a damaged one: ") + what); }

// Numbers in the header, by place.
enum : size_t {
  kTotalSize = 0,
  kDocumentCount = 6,
  kDocumentsAt = 7,
  kMethodCount = 9,
  kMethodsAt = 10,
  kLineBase = 16,
  kLineRange = 17,
  kOpcodeBase = 18,
  kNumbers = 20,
};

}  // namespace

Result<Mdb> Mdb::parse(std::vector<uint8_t> bytes) {
  Mdb mdb;
  mdb.bytes_ = std::move(bytes);
  if (Status status = mdb.read_header(); !status) return status;
  if (Status status = mdb.check_sharing(); !status) return status;
  return mdb;
}

Status Mdb::read_header() {
  ByteReader reader(bytes_);
  if (reader.read<uint64_t>() != kMagic) return damaged("its signature is another");
  if (reader.read<uint32_t>() != kVersion) return damaged("its version is another");
  reader.skip(4);  // minor version
  if (!reader.has(kGuidBytes)) return damaged("it has no id");
  id_ = hex(std::span(bytes_).subspan(reader.at(), kGuidBytes));
  reader.skip(kGuidBytes);
  const auto numbers = reader.read<std::array<uint32_t, kNumbers>>();
  if (!reader.ok() || numbers[kTotalSize] > bytes_.size()) return damaged("it is cut short");
  documents_ = {numbers[kDocumentCount], numbers[kDocumentsAt]};
  methods_ = {numbers[kMethodCount], numbers[kMethodsAt]};
  const auto ends_behind = [&](const Table& table, uint64_t row_size) {
    return table.at + table.rows * row_size > bytes_.size();
  };
  if (ends_behind(documents_, kDocumentBytes) || ends_behind(methods_, kMethodBytes))
    return damaged("a table ends behind its end");
  if (numbers[kLineRange] == 0 || numbers[kLineRange] > 0xff) return damaged("its line numbers cannot be read");
  encoding_ = {static_cast<int32_t>(numbers[kLineBase]), static_cast<uint8_t>(numbers[kLineRange]),
               static_cast<uint8_t>(numbers[kOpcodeBase])};
  return Status::ok();
}

Status Mdb::check_sharing() const {
  uint64_t lines = 0, names = 0;
  for (uint32_t i = 0; i < methods_.rows; ++i) lines += lines_of(method(i)).size();
  if (lines > size()) return damaged("its methods share their lines");
  for (uint32_t row = 1; row <= documents_.rows; ++row) {
    ByteReader reader = document_data(row);
    names += std::min<uint64_t>(read_leb128(reader), kLongestName);
  }
  if (names > kNamesOfFile * size() + kNamesOfAny) return damaged("its documents share their names");
  return Status::ok();
}

Mdb::Method Mdb::method(uint32_t index) const {
  ByteReader reader(bytes_, methods_.at + size_t{index} * kMethodBytes);
  Method method;
  method.token = reader.read<uint32_t>();
  method.data = reader.read<uint32_t>();
  method.lines = reader.read<uint32_t>();
  return method;
}

std::span<const uint8_t> Mdb::lines_of(const Method& method) const {
  if (method.lines == 0 || method.data < method.lines || method.data > bytes_.size()) return {};
  return std::span(bytes_).subspan(method.lines, method.data - method.lines);
}

// Behind the numbers of its unit, variables, namespace, blocks and scopes, and its name.
uint32_t Mdb::flags_of(const Method& method) const {
  constexpr int kBefore = 6;
  ByteReader reader(bytes_, method.data);
  for (int i = 0; i < kBefore; ++i) read_leb128(reader);
  return read_leb128(reader);
}

// The table is sorted by tokens.
std::vector<SequencePoint> Mdb::points(uint32_t method_row) const {
  if (method_row == 0 || method_row > kLastRow) return {};
  const uint32_t token = kMethodTokens | method_row;
  uint32_t first = 0, end = methods_.rows;
  while (first < end) {
    const uint32_t middle = first + (end - first) / 2;
    if (method(middle).token < token) {
      first = middle + 1;
    } else {
      end = middle;
    }
  }
  if (first == methods_.rows) return {};
  const Method found = method(first);
  if (found.token != token) return {};
  const uint32_t flags = flags_of(found);
  return run_line_program(lines_of(found), encoding_, {(flags & kHasColumns) != 0, (flags & kHasEnds) != 0});
}

// The row's number, then where its data is.
ByteReader Mdb::document_data(uint32_t row) const {
  ByteReader entry(bytes_, documents_.at + size_t{row - 1} * kDocumentBytes + 4);
  return ByteReader(bytes_, entry.read<uint32_t>());
}

// As much as a path can have.
std::string Mdb::document_name(ByteReader& reader) const {
  const uint32_t size = read_leb128(reader);
  if (!reader.has(size)) return "";
  const std::span<const uint8_t> name = std::span(bytes_).subspan(reader.at(), std::min<size_t>(size, kLongestName));
  reader.skip(size);
  return {name.begin(), name.end()};
}

Document Mdb::document(uint32_t row) const {
  if (row == 0 || row > documents_.rows) return {};
  ByteReader reader = document_data(row);
  Document document;
  document.path = document_name(reader);
  reader.skip(kGuidBytes);  // made up anew by each compilation
  const auto hash = reader.read<std::array<uint8_t, kHashBytes>>();
  // Zeros if the compiler could not read the file again.
  if (reader.ok() && std::ranges::any_of(hash, [](uint8_t byte) { return byte != 0; }))
    document.hash.assign(hash.begin(), hash.end());
  return document;
}

}  // namespace oriel::pdb
