// Log bytes written by hand, as docs/FORMAT.md says, without the code under test.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace oriel::log {

class ByteBuilder {
 public:
  ByteBuilder& byte(unsigned value) {
    bytes_.push_back(static_cast<uint8_t>(value));
    return *this;
  }
  // 7-bit groups, least significant first, the high bit on the last byte.
  ByteBuilder& number(uint64_t value) {
    for (; value >= 128; value /= 128) byte(static_cast<unsigned>(value % 128));
    return byte(static_cast<unsigned>(value) + 128);
  }
  ByteBuilder& text(const std::string& value) {
    bytes_.insert(bytes_.end(), value.begin(), value.end());
    return byte(0);
  }
  ByteBuilder& append(const std::vector<uint8_t>& bytes) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    return *this;
  }
  // Code, length, contents.
  ByteBuilder& block(unsigned code, const ByteBuilder& contents) {
    byte(code & 0xff).byte(code >> 8);
    for (int shift = 0; shift < 32; shift += 8) byte((contents.bytes_.size() >> shift) & 0xff);
    return append(contents.bytes_);
  }

  const std::vector<uint8_t>& bytes() const { return bytes_; }

 private:
  std::vector<uint8_t> bytes_;
};

}  // namespace oriel::log
