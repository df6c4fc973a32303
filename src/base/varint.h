// The log's INT: an unsigned integer in 7-bit groups, least significant first, the high bit set on the last byte only.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

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

// Reads an INT from [in, end) into `value`, byte by byte; returns the byte after it, or nullptr if it is truncated or
// exceeds 64 bits.
[[gnu::noinline]] inline const uint8_t* read_long_varint(const uint8_t* in, const uint8_t* end, uint64_t& value) {
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

// Likewise. Most have few bytes, but one cannot tell how many: eight are read at once, without a branch for each.
[[gnu::always_inline]] inline const uint8_t* read_varint(const uint8_t* in, const uint8_t* end, uint64_t& value) {
  uint64_t bytes = 0;
  if (static_cast<size_t>(end - in) < sizeof bytes) return read_long_varint(in, end, value);
  std::memcpy(&bytes, in, sizeof bytes);
  const uint64_t ends = bytes & 0x8080'8080'8080'8080;
  if (ends == 0) return read_long_varint(in, end, value);
  const uint64_t last = ends & (0 - ends);      // the lowest: of the INT's last byte
  bytes &= (last - 1) & 0x7f7f'7f7f'7f7f'7f7f;  // groups of 7 bits: then pairs of groups become one, three times
  bytes = (bytes & 0x7f00'7f00'7f00'7f00) >> 1 | (bytes & 0x007f'007f'007f'007f);
  bytes = (bytes & 0x3fff'0000'3fff'0000) >> 2 | (bytes & 0x0000'3fff'0000'3fff);
  value = (bytes & 0x0fff'ffff'0000'0000) >> 4 | (bytes & 0x0fff'ffff);
  return in + __builtin_ctzll(last) / 8 + 1;
}

}  // namespace oriel
