#include "plugins/code/image.h"

#include <cstring>

namespace oriel::plugins {
namespace {

// Offsets in a PE file (ECMA-335 II.25).
constexpr uint32_t kPeOffset = 0x3c, kFileHeader = 4, kOptionalHeader = 24, kSectionSize = 40;
constexpr uint16_t kPe32Plus = 0x20b;
constexpr uint32_t kDirectories32 = 96, kDirectories64 = 112, kCliDirectory = 14;
constexpr uint32_t kCorFlags = 16, kEntryPoint = 20;

template <typename T>
T read(const uint8_t* at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

const uint8_t* headers(const uint8_t* base) {
  if (base == nullptr || base[0] != 'M' || base[1] != 'Z') return nullptr;
  const uint8_t* pe = base + read<uint32_t>(base + kPeOffset);
  return std::memcmp(pe, "PE\0\0", 4) == 0 ? pe : nullptr;
}

}  // namespace

const uint8_t* at_rva(const uint8_t* base, bool is_flat, uint32_t rva) {
  const uint8_t* pe = headers(base);
  if (pe == nullptr) return nullptr;
  if (!is_flat) return base + rva;
  const auto sections = read<uint16_t>(pe + kFileHeader + 2);
  const uint8_t* section = pe + kOptionalHeader + read<uint16_t>(pe + kFileHeader + 16);
  for (unsigned i = 0; i < sections; ++i, section += kSectionSize) {
    const auto begin = read<uint32_t>(section + 12), size = read<uint32_t>(section + 16);
    if (rva >= begin && rva - begin < size) return base + read<uint32_t>(section + 20) + (rva - begin);
  }
  return nullptr;
}

std::optional<ImageFacts> read_image(const uint8_t* base, bool is_flat) {
  const uint8_t* pe = headers(base);
  if (pe == nullptr) return std::nullopt;
  ImageFacts facts;
  const uint8_t* optional = pe + kOptionalHeader;
  facts.is_64bit = read<uint16_t>(optional) == kPe32Plus;
  const uint8_t* directory = optional + (facts.is_64bit ? kDirectories64 : kDirectories32) + 8 * kCliDirectory;
  facts.cor_header = read<uint32_t>(directory);
  const uint8_t* cor = facts.cor_header == 0 ? nullptr : at_rva(base, is_flat, facts.cor_header);
  if (cor == nullptr) return facts;
  facts.cor_flags = read<uint32_t>(cor + kCorFlags);
  facts.entry_point = read<uint32_t>(cor + kEntryPoint);
  return facts;
}

}  // namespace oriel::plugins
