// Reads DWARF's primitives from Oriel's own memory, never beyond its end. Async-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace oriel::sampling {

class ByteCursor {
 public:
  ByteCursor(const uint8_t* begin, const uint8_t* end) : at_(begin), end_(end) {}

  const uint8_t* at() const { return at_; }
  size_t left() const { return static_cast<size_t>(end_ - at_); }
  // False after any read beyond the end; all reads return 0 from then on.
  bool ok() const { return ok_; }

  template <typename T>
  T take() {
    T value{};
    if (left() < sizeof(T)) {
      fail();
    } else {
      std::memcpy(&value, at_, sizeof(T));
      at_ += sizeof(T);
    }
    return value;
  }

  uint64_t take_unsigned() {
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
      const uint8_t byte = take<uint8_t>();
      if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      if (!(byte & 0x80)) return value;
    }
  }

  int64_t take_signed() {
    uint64_t value = 0;
    for (unsigned shift = 0;;) {
      const uint8_t byte = take<uint8_t>();
      if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7f) << shift;
      shift += 7;
      if (byte & 0x80) continue;
      if (shift < 64 && (byte & 0x40)) value |= ~uint64_t{0} << shift;
      return static_cast<int64_t>(value);
    }
  }

  // The next `size` bytes as a separate cursor.
  ByteCursor take_block(uint64_t size) {
    if (size > left()) {
      fail();
      return {end_, end_};
    }
    const ByteCursor block(at_, at_ + size);
    at_ += size;
    return block;
  }

 private:
  void fail() {
    ok_ = false;
    at_ = end_;
  }

  const uint8_t* at_;
  const uint8_t* end_;
  bool ok_ = true;
};

}  // namespace oriel::sampling
