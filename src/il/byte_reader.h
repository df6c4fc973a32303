// Little-endian reading from bytes that may end anywhere.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <span>

namespace oriel::il {

// Reads sequentially. Past the end everything reads as zero and `ok` stays false.
class ByteReader {
 public:
  explicit ByteReader(std::span<const uint8_t> bytes, size_t at = 0)
      : bytes_(bytes), at_(at), ok_(at <= bytes.size()) {}

  template <typename T>
  T read() {
    T value{};
    if (!has(sizeof(T))) return value;
    std::memcpy(&value, bytes_.data() + at_, sizeof(T));
    at_ += sizeof(T);
    return value;
  }
  void skip(size_t count) {
    if (has(count)) at_ += count;
  }
  // To the next multiple of four; padding missing at the very end is no error.
  void align4() { at_ = std::min((at_ + 3) & ~size_t{3}, std::max(at_, bytes_.size())); }

  bool has(size_t count) {
    if (ok_ && count <= bytes_.size() - at_) return true;
    return ok_ = false;
  }
  bool ok() const { return ok_; }
  size_t at() const { return at_; }
  size_t left() const { return ok_ ? bytes_.size() - at_ : 0; }

 private:
  std::span<const uint8_t> bytes_;
  size_t at_;
  bool ok_;
};

}  // namespace oriel::il
