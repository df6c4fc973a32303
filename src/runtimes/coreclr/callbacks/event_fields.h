// Fields of an event of the runtime's own source, one after the other without gaps.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

namespace oriel::coreclr {

// Takes a number off the front; whether there was one.
template <typename T>
bool read(std::span<const uint8_t>& bytes, T& value) {
  if (bytes.size() < sizeof(T)) return false;
  std::memcpy(&value, bytes.data(), sizeof(T));
  bytes = bytes.subspan(sizeof(T));
  return true;
}

// Takes a UTF-16 text with its end off the front.
inline bool skip_text(std::span<const uint8_t>& bytes) {
  for (uint16_t unit = 1; unit != 0;) {
    if (!read(bytes, unit)) return false;
  }
  return true;
}

}  // namespace oriel::coreclr
