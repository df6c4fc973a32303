// Bytes as people write them down: build ids, identities of files.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace oriel {

// Two lower-case digits a byte.
inline std::string hex(const uint8_t* bytes, size_t size) {
  static constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (size_t i = 0; i < size; ++i) {
    text += kDigits[bytes[i] >> 4];
    text += kDigits[bytes[i] & 15];
  }
  return text;
}

}  // namespace oriel
