#include "assembly_file.h"

#include <cstring>
#include <fstream>
#include <iterator>

#include "assembly/rows.h"
#include "il/byte_reader.h"
#include "il/signature.h"

namespace oriel::il::test {
namespace {

constexpr unsigned kMethodDef = 0x06, kMemberRef = 0x0a, kStandAloneSig = 0x11, kMethodSpec = 0x2b;

uint32_t compressed(ByteReader& reader) {
  uint32_t value = reader.read<uint8_t>();
  if ((value & 0x80) == 0) return value;
  if ((value & 0x40) == 0) return (value & 0x3f) << 8 | reader.read<uint8_t>();
  value &= 0x1f;
  for (int i = 0; i < 3; ++i) value = value << 8 | reader.read<uint8_t>();
  return value;
}

}  // namespace

std::optional<AssemblyFile> AssemblyFile::open(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  AssemblyFile assembly;
  assembly.file_.assign(std::istreambuf_iterator<char>(in), {});
  if (!assembly.load()) return std::nullopt;
  return assembly;
}

bool AssemblyFile::load() {
  ByteReader dos(file_, 0x3c);
  ByteReader pe(file_, dos.read<uint32_t>());
  if (pe.read<uint32_t>() != 0x4550) return false;
  pe.skip(2);
  const uint16_t section_count = pe.read<uint16_t>();
  pe.skip(12);
  const uint16_t optional_bytes = pe.read<uint16_t>();
  pe.skip(2);
  const size_t optional = pe.at();
  const bool is_64 = pe.read<uint16_t>() == 0x20b;
  ByteReader directory(file_, optional + (is_64 ? 112 : 96) + 14 * 8);
  const uint32_t cli_rva = directory.read<uint32_t>();
  ByteReader table(file_, optional + optional_bytes);
  for (unsigned i = 0; i < section_count && table.ok(); ++i) {
    table.skip(8);
    const uint32_t virtual_size = table.read<uint32_t>(), rva = table.read<uint32_t>();
    const uint32_t raw_size = table.read<uint32_t>(), raw = table.read<uint32_t>();
    table.skip(16);
    sections_.push_back({rva, std::min(virtual_size, raw_size), raw});
  }
  if (!table.ok() || !directory.ok() || cli_rva == 0) return false;
  ByteReader cli(at_rva(cli_rva), 8);
  const uint32_t metadata_rva = cli.read<uint32_t>();
  return cli.ok() && load_metadata(metadata_rva);
}

std::span<const uint8_t> AssemblyFile::at_rva(uint32_t rva) const {
  for (const Section& section : sections_) {
    if (rva < section.rva || rva - section.rva >= section.size) continue;
    const size_t begin = size_t{section.file_offset} + (rva - section.rva);
    const size_t end = size_t{section.file_offset} + section.size;
    if (end <= file_.size()) return std::span(file_).subspan(begin, end - begin);
  }
  return {};
}

bool AssemblyFile::load_metadata(uint32_t rva) {
  const std::span<const uint8_t> root = at_rva(rva);
  ByteReader reader(root);
  if (reader.read<uint32_t>() != 0x424a5342) return false;
  reader.skip(8);
  reader.skip(reader.read<uint32_t>());
  reader.skip(2);
  const uint16_t streams = reader.read<uint16_t>();
  std::span<const uint8_t> tables;
  for (unsigned i = 0; i < streams; ++i) {
    const uint32_t offset = reader.read<uint32_t>(), size = reader.read<uint32_t>();
    std::string name;
    for (char c = 1; c != 0 && reader.ok();) {
      c = reader.read<char>();
      if (c) name += c;
    }
    reader.align4();
    if (!reader.ok() || offset > root.size() || size > root.size() - offset) return false;
    if (name == "#~") tables = root.subspan(offset, size);
    if (name == "#Blob") blobs_ = root.subspan(offset, size);
  }
  return !tables.empty() && load_tables(tables);
}

bool AssemblyFile::load_tables(std::span<const uint8_t> stream) {
  table_bytes_ = stream;
  ByteReader reader(stream, 6);
  const uint8_t heap_sizes = reader.read<uint8_t>();
  reader.skip(1);
  const uint64_t present = reader.read<uint64_t>();
  reader.skip(8);
  for (unsigned i = 0; i < 64; ++i)
    if (present >> i & 1) tables_[i].rows = reader.read<uint32_t>();
  assembly::RowSizes sizes(heap_sizes, [this](unsigned table) { return tables_[table].rows; });
  string_index_ = sizes.column('s');
  blob_index_ = sizes.column('b');
  parameter_index_ = sizes.table_index(0x08);
  member_parent_ = sizes.column('P');
  method_or_ref_ = sizes.column('O');
  size_t at = reader.at();
  for (unsigned i = 0; i < 64; ++i) {
    if (tables_[i].rows == 0) continue;
    tables_[i].row_bytes = sizes.row_bytes(i);
    tables_[i].begin = at;
    if (tables_[i].row_bytes == 0) return false;
    at += size_t{tables_[i].rows} * tables_[i].row_bytes;
  }
  return reader.ok() && at <= stream.size();
}

uint32_t AssemblyFile::cell(unsigned table, uint32_t row, uint32_t column_begin, uint32_t bytes) const {
  const Table& rows = tables_[table];
  if (row == 0 || row > rows.rows) return 0;
  ByteReader reader(table_bytes_, rows.begin + size_t{row - 1} * rows.row_bytes + column_begin);
  return bytes == 2 ? reader.read<uint16_t>() : reader.read<uint32_t>();
}

std::span<const uint8_t> AssemblyFile::blob(uint32_t index) const {
  ByteReader reader(blobs_, index);
  const uint32_t size = compressed(reader);
  if (!reader.has(size)) return {};
  return blobs_.subspan(reader.at(), size);
}

std::span<const uint8_t> AssemblyFile::signature_of(uint32_t token) const {
  const uint32_t table = token >> 24, row = token & 0xffffff;
  switch (table) {
    case kMethodDef:
      return blob(cell(kMethodDef, row, 8 + string_index_, blob_index_));
    case kMemberRef:
      return blob(cell(kMemberRef, row, member_parent_ + string_index_, blob_index_));
    case kStandAloneSig:
      return blob(cell(kStandAloneSig, row, 0, blob_index_));
    case kMethodSpec: {
      const uint32_t coded = cell(kMethodSpec, row, 0, method_or_ref_);
      return signature_of((coded & 1 ? kMemberRef : kMethodDef) << 24 | coded >> 1);
    }
    default:
      return {};
  }
}

std::vector<AssemblyFile::Method> AssemblyFile::methods() const {
  std::vector<Method> found;
  for (uint32_t row = 1; row <= tables_[kMethodDef].rows; ++row) {
    const uint32_t rva = cell(kMethodDef, row, 0, 4);
    const uint32_t implementation = cell(kMethodDef, row, 4, 2);
    // Native code and what the runtime provides has no IL.
    if (rva == 0 || (implementation & 3) != 0) continue;
    const uint32_t token = kMethodDef << 24 | row;
    found.push_back({token, rva, at_rva(rva), signature_of(token)});
  }
  return found;
}

MethodFacts AssemblyFile::facts(const Method& method, uint32_t locals_token) const {
  MethodFacts facts;
  facts.call_effect = [this](Opcode opcode, uint32_t token) -> std::optional<StackEffect> {
    const Result<MethodShape> shape = read_method_shape(signature_of(token));
    if (!shape) return std::nullopt;
    return il::call_effect(opcode, *shape);
  };
  if (const Result<MethodShape> shape = read_method_shape(method.signature)) {
    facts.returns_value = shape->returns_value;
    facts.argument_count = shape->arguments();
  }
  const Result<uint32_t> locals = local_count(locals_token ? signature_of(locals_token) : std::span<const uint8_t>());
  if (locals) facts.local_count = *locals;
  return facts;
}

}  // namespace oriel::il::test
