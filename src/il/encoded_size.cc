#include "il/encoded_size.h"

#include <algorithm>

#include "il/byte_reader.h"
#include "il/format.h"

namespace oriel::il {
namespace {

// Some compilers leave a section's header out of its size, so count the header and whole clauses.
size_t section_bytes(uint32_t head) {
  const auto kind = static_cast<uint8_t>(head);
  const bool fat = kind & kSectionFat;
  const size_t size = fat ? head >> 8 : (head >> 8) & 0xff;
  if ((kind & kSectionKindMask) != kSectionExceptions) return size;
  const size_t clause = fat ? kFatClauseBytes : kSmallClauseBytes;
  return std::max(size, kSectionHeaderBytes + size / clause * clause);
}

}  // namespace

size_t encoded_size(std::span<const uint8_t> bytes) {
  ByteReader reader(bytes);
  const uint8_t first = reader.read<uint8_t>();
  if (!reader.ok()) return 0;
  if ((first & kFormatMask) == kTinyFormat) {
    reader.skip(first >> 2);
    return reader.ok() ? reader.at() : 0;
  }
  if ((first & kFormatMask) != kFatFormat) return 0;
  ByteReader fat(bytes);
  const auto flags = fat.read<uint16_t>();
  fat.skip(sizeof(uint16_t));
  const auto size = fat.read<uint32_t>();
  const size_t header = size_t{4} * (flags >> 12);
  if (!fat.ok() || header < kFatHeaderBytes || header > bytes.size()) return 0;
  ByteReader behind(bytes, header);
  behind.skip(size);
  for (bool more = (flags & kMoreSections) != 0; more && behind.ok();) {
    behind.align4();
    const auto head = behind.read<uint32_t>();
    const size_t section = section_bytes(head);
    more = (head & kSectionMore) != 0;
    if (section > kSectionHeaderBytes) behind.skip(section - kSectionHeaderBytes);
  }
  return behind.ok() ? behind.at() : 0;
}

bool has_clauses(std::span<const uint8_t> bytes) {
  ByteReader reader(bytes);
  const auto flags = reader.read<uint16_t>();
  return reader.ok() && (flags & kFormatMask) == kFatFormat && (flags & kMoreSections) != 0;
}

}  // namespace oriel::il
