// Numbers in signature blobs (ECMA-335 II.23.2).
#pragma once

#include <cstdint>
#include <vector>

#include "il/byte_reader.h"

namespace oriel::il {

// One, two or four bytes, most significant first. An invalid encoding makes the reader fail.
inline uint32_t read_compressed(ByteReader& reader) {
  uint32_t value = reader.read<uint8_t>();
  int more = 0;
  if ((value & 0x80) == 0) return value;
  if ((value & 0xc0) == 0x80) {
    value &= 0x3f;
    more = 1;
  } else if ((value & 0xe0) == 0xc0) {
    value &= 0x1f;
    more = 3;
  } else {
    reader.skip(SIZE_MAX);  // no such encoding
  }
  for (; more > 0; --more) value = value << 8 | reader.read<uint8_t>();
  return value;
}

inline void append_compressed(std::vector<uint8_t>& out, uint32_t value) {
  if (value > 0x3fff) {
    out.push_back(static_cast<uint8_t>(0xc0 | value >> 24));
    out.push_back(static_cast<uint8_t>(value >> 16));
    out.push_back(static_cast<uint8_t>(value >> 8));
  } else if (value > 0x7f) {
    out.push_back(static_cast<uint8_t>(0x80 | value >> 8));
  }
  out.push_back(static_cast<uint8_t>(value));
}

// A signed number in [-2^28, 2^28), rotated so that the sign is the last bit.
inline void append_compressed_signed(std::vector<uint8_t>& out, int32_t value) {
  const auto rotated = [&](unsigned bits) {
    const uint32_t mask = (uint32_t{1} << bits) - 1;
    return (static_cast<uint32_t>(value) << 1 | (value < 0 ? 1 : 0)) & mask;
  };
  if (value >= -0x40 && value < 0x40) {
    out.push_back(static_cast<uint8_t>(rotated(7)));
  } else if (value >= -0x2000 && value < 0x2000) {
    const uint32_t number = rotated(14) | 0x8000;
    out.insert(out.end(), {static_cast<uint8_t>(number >> 8), static_cast<uint8_t>(number)});
  } else {
    const uint32_t number = rotated(29) | 0xc0000000;
    out.insert(out.end(), {static_cast<uint8_t>(number >> 24), static_cast<uint8_t>(number >> 16),
                           static_cast<uint8_t>(number >> 8), static_cast<uint8_t>(number)});
  }
}

}  // namespace oriel::il
