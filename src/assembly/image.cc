#include "assembly/image.h"

#include <algorithm>

#include "il/byte_reader.h"

namespace oriel::assembly {
namespace {

using il::ByteReader;

constexpr size_t kNewHeaderAt = 0x3c;
constexpr uint16_t kDosMagic = 0x5a4d, k64Bit = 0x20b;
constexpr uint32_t kSignature = 0x4550;
constexpr size_t kRuntimeHeader = 14;  // index of the data directory
constexpr uint16_t kMostSections = 256;

}  // namespace

std::span<const uint8_t> Image::at(std::span<const uint8_t> file, uint32_t address) const {
  for (const Section& section : sections) {
    if (address < section.address || address - section.address >= section.size) continue;
    const size_t begin = size_t{section.file_offset} + (address - section.address);
    const size_t end = std::min(size_t{section.file_offset} + section.size, file.size());
    if (begin < end) return file.subspan(begin, end - begin);
  }
  return {};
}

Result<Image> read_image(std::span<const uint8_t> file) {
  ByteReader dos(file);
  if (dos.read<uint16_t>() != kDosMagic) return Status::error("it is not an assembly");
  ByteReader where(file, kNewHeaderAt);
  ByteReader pe(file, where.read<uint32_t>());
  if (pe.read<uint32_t>() != kSignature) return Status::error("it is not an assembly");
  pe.skip(2);
  const uint16_t sections = pe.read<uint16_t>();
  pe.skip(12);
  const uint16_t optional_bytes = pe.read<uint16_t>();
  pe.skip(2);
  const size_t optional = pe.at();
  const bool is_64 = pe.read<uint16_t>() == k64Bit;
  ByteReader directory(file, optional + (is_64 ? 112 : 96) + kRuntimeHeader * 8);
  const uint32_t runtime_header = directory.read<uint32_t>();
  if (!pe.ok() || !directory.ok() || sections > kMostSections) return Status::error("its headers are damaged");
  if (runtime_header == 0) return Status::error("it is native code, not an assembly");
  Image image;
  ByteReader table(file, optional + optional_bytes);
  for (unsigned i = 0; i < sections; ++i) {
    table.skip(8);
    const uint32_t virtual_size = table.read<uint32_t>(), address = table.read<uint32_t>();
    const uint32_t raw_size = table.read<uint32_t>(), raw = table.read<uint32_t>();
    table.skip(16);
    image.sections.push_back({address, std::min(virtual_size, raw_size), raw});
  }
  ByteReader header(image.at(file, runtime_header), 8);
  image.metadata_address = header.read<uint32_t>();
  return table.ok() && header.ok() ? Result<Image>(std::move(image)) : Status::error("its headers are damaged");
}

}  // namespace oriel::assembly
