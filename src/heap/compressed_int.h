// The numbers in .gcdump files: 32 bits in groups of 7, most significant first, the high bit set on all bytes but the
// last. The first group is signed.
#pragma once

#include <cstdint>
#include <span>

namespace oriel::heap {

inline constexpr unsigned kMostCompressedBytes = 5;

constexpr unsigned compressed_size(int32_t value) {
  // Bits without the copies of the sign, and one of these.
  const uint32_t bits = static_cast<uint32_t>(value < 0 ? ~value : value);
  unsigned size = 1;
  for (uint32_t rest = bits >> 6; rest != 0; rest >>= 7) ++size;
  return size;
}

// Writes to `out`, which has room for it, and returns the byte behind it.
inline uint8_t* write_compressed(uint8_t* out, int32_t value) {
  for (unsigned left = compressed_size(value); left-- > 0;) {
    const auto group = static_cast<uint8_t>((value >> (7 * left)) & 0x7f);
    *out++ = left == 0 ? group : static_cast<uint8_t>(group | 0x80);
  }
  return out;
}

// Reads from the front of `bytes` and moves it on; false if it ends before.
inline bool read_compressed(std::span<const uint8_t>& bytes, int32_t& value) {
  uint32_t bits = 0;
  for (size_t i = 0; i < kMostCompressedBytes && i < bytes.size(); ++i) {
    const uint8_t byte = bytes[i];
    bits = bits << 7 | (byte & 0x7f);
    if (i == 0 && (byte & 0x40) != 0) bits |= ~uint32_t{0x7f};
    if ((byte & 0x80) != 0 && i + 1 < kMostCompressedBytes) continue;
    value = static_cast<int32_t>(bits);
    bytes = bytes.subspan(i + 1);
    return true;
  }
  return false;
}

}  // namespace oriel::heap
