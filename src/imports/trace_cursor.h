// Little-endian numbers and texts of a .nettrace file, one after another.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>

#include "base/text/utf16.h"

namespace oriel::imports {

// Once something is not there, nothing is: zeros and empty texts.
class TraceCursor {
 public:
  explicit TraceCursor(std::span<const uint8_t> bytes) : rest_(bytes) {}

  bool failed() const { return failed_; }
  size_t left() const { return rest_.size(); }

  std::span<const uint8_t> take(uint64_t size) {
    if (size > rest_.size()) {
      failed_ = true;
      rest_ = {};
      return {};
    }
    const std::span<const uint8_t> taken = rest_.first(size);
    rest_ = rest_.subspan(size);
    return taken;
  }
  void skip(uint64_t size) { take(size); }

  template <typename Number>
  Number number() {
    Number value = 0;
    if (const auto bytes = take(sizeof value); !bytes.empty()) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  uint64_t pointer(uint32_t bytes) { return bytes == 4 ? number<uint32_t>() : number<uint64_t>(); }

  // Seven bits a byte, least significant first, the high bit set on all but the last.
  uint64_t varint() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const auto byte = number<uint8_t>();
      value |= uint64_t{byte & 0x7fu} << shift;
      if ((byte & 0x80) == 0) return value;
    }
    failed_ = true;
    rest_ = {};
    return 0;
  }

  // Ended by a unit 0.
  std::string text() {
    std::u16string units;
    while (!failed_) {
      const auto unit = number<char16_t>();
      if (unit == 0) break;
      units += unit;
    }
    return utf8_of(units);
  }
  // UTF-8, behind its length in bytes.
  std::string counted_text() { return utf8(take(varint())); }
  // The same with a length of 16 bits.
  std::string short_text() { return utf8(take(number<uint16_t>())); }

 private:
  static std::string utf8(std::span<const uint8_t> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  std::span<const uint8_t> rest_;
  bool failed_ = false;
};

}  // namespace oriel::imports
