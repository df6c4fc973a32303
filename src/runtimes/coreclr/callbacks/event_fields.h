// Reads the fields of an event's payload, which follow each other without gaps.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "base/text/utf16.h"

namespace oriel::coreclr {

// Takes a number off the front; false if there is none.
template <typename T>
bool read(std::span<const uint8_t>& bytes, T& value) {
  if (bytes.size() < sizeof(T)) return false;
  std::memcpy(&value, bytes.data(), sizeof(T));
  bytes = bytes.subspan(sizeof(T));
  return true;
}

// Takes numbers off the front, in this order; false if one is missing.
template <typename... Numbers>
bool read_all(std::span<const uint8_t>& bytes, Numbers&... numbers) {
  return (read(bytes, numbers) && ...);
}

// Takes a terminated UTF-16 text off the front.
inline bool skip_text(std::span<const uint8_t>& bytes) {
  for (uint16_t unit = 1; unit != 0;) {
    if (!read(bytes, unit)) return false;
  }
  return true;
}
inline bool read_text(std::span<const uint8_t>& bytes, std::string& text) {
  std::u16string units;
  for (char16_t unit = 0; read(bytes, unit); units.push_back(unit)) {
    if (unit != 0) continue;
    text = utf8_of(units);
    return true;
  }
  return false;
}

}  // namespace oriel::coreclr
