// The log's INT: an unsigned integer in 7-bit groups, least significant first, the high bit set on the last byte only.
#pragma once

#include <cstddef>
#include <cstdint>

namespace oriel {

inline constexpr size_t kMaxVarintBytes = 10;

// Writes `value` at `out` (room for kMaxVarintBytes) and returns the byte after it. Async-safe.
inline uint8_t* write_varint(uint8_t* out, uint64_t value) {
  while (value > 0x7f) {
    *out++ = static_cast<uint8_t>(value & 0x7f);
    value >>= 7;
  }
  *out++ = static_cast<uint8_t>(value | 0x80);
  return out;
}

// Reads an INT from [in, end) into `value`; returns the byte after it, or nullptr if it is truncated or exceeds 64
// bits.
inline const uint8_t* read_varint(const uint8_t* in, const uint8_t* end, uint64_t& value) {
  value = 0;
  for (unsigned shift = 0; in != end && shift < 64; shift += 7) {
    const uint8_t byte = *in++;
    const uint64_t group = byte & 0x7f;
    if (shift == 63 && group > 1) return nullptr;
    value |= group << shift;
    if (byte & 0x80) return in;
  }
  return nullptr;
}

}  // namespace oriel
