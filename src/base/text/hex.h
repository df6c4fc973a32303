// Bytes as hexadecimal text: build ids, identities of files.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace oriel {

// Two lower-case digits a byte.
inline std::string hex(std::span<const uint8_t> bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  for (const uint8_t byte : bytes) {
    text += kDigits[byte >> 4];
    text += kDigits[byte & 15];
  }
  return text;
}

}  // namespace oriel
