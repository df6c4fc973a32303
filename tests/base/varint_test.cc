#include "base/varint.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace oriel {
namespace {

// Powers of two and what is next to them: each length, and each number of significant bits.
std::vector<uint64_t> values() {
  std::vector<uint64_t> all = {0, UINT64_MAX, 0x0123'4567'89ab'cdef};
  for (unsigned bit = 0; bit < 64; ++bit)
    for (const uint64_t value : {uint64_t{1} << bit, (uint64_t{1} << bit) - 1, (uint64_t{1} << bit) + 1})
      all.push_back(value);
  return all;
}

TEST(Varint, IsReadAsWrittenHoweverManyBytesFollow) {
  for (const uint64_t value : values()) {
    for (size_t after = 0; after < 12; ++after) {
      for (const uint8_t other : {0x00, 0x7f, 0x80, 0xff}) {
        std::vector<uint8_t> bytes(kMaxVarintBytes + after, other);
        const uint8_t* const end = write_varint(bytes.data(), value);
        uint64_t read = 1;
        EXPECT_EQ(read_varint(bytes.data(), end + after, read), end) << value;
        EXPECT_EQ(read, value);
      }
    }
  }
}

TEST(Varint, IsNotReadBeyondItsEnd) {
  for (const uint64_t value : values()) {
    std::vector<uint8_t> bytes(kMaxVarintBytes);
    const uint8_t* const end = write_varint(bytes.data(), value);
    for (const uint8_t* cut = bytes.data(); cut < end; ++cut) {
      uint64_t read = 0;
      EXPECT_EQ(read_varint(bytes.data(), cut, read), nullptr) << value;
    }
  }
}

TEST(Varint, HasAtMost64Bits) {
  uint64_t read = 0;
  std::vector<uint8_t> bytes(16, 0);
  bytes[9] = 0x80 | 2;  // bit 64
  EXPECT_EQ(read_varint(bytes.data(), bytes.data() + bytes.size(), read), nullptr);
  bytes[9] = 0;
  bytes[10] = 0x80;  // an eleventh byte
  EXPECT_EQ(read_varint(bytes.data(), bytes.data() + bytes.size(), read), nullptr);
}

}  // namespace
}  // namespace oriel
