// Thrift's compact protocol, as far as metadata of Parquet files need it: structs of numbers, texts, lists and structs.
// After the Apache Thrift document "Thrift compact protocol".
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace oriel::exports {

// Appends a number in 7-bit groups, least significant first, the high bit set on all bytes but the last.
inline void append_uleb(uint64_t value, std::string& to) {
  for (; value >= 0x80; value >>= 7) to += static_cast<char>(value | 0x80);
  to += static_cast<char>(value);
}

// Writes one struct. Fields come with rising ids.
class ThriftStruct {
 public:
  explicit ThriftStruct(std::string& to) : to_(to) {}
  ThriftStruct(const ThriftStruct&) = delete;
  ThriftStruct& operator=(const ThriftStruct&) = delete;
  ~ThriftStruct() { to_ += '\0'; }

  void i32(int id, int32_t value) { number(id, kI32, value); }
  void i64(int id, int64_t value) { number(id, kI64, value); }
  void text(int id, std::string_view value) {
    field(id, kBinary);
    append(value);
  }
  template <typename Write>  // Write(ThriftStruct&)
  void record(int id, Write write) {
    field(id, kStruct);
    ThriftStruct inner(to_);
    write(inner);
  }
  void numbers(int id, const std::vector<int32_t>& values) {
    list(id, kI32, values.size());
    for (const int32_t value : values) append_uleb(zigzag(value), to_);
  }
  void texts(int id, const std::vector<std::string>& values) {
    list(id, kBinary, values.size());
    for (const std::string& value : values) append(value);
  }
  template <typename Items, typename Write>  // Write(ThriftStruct&, item)
  void records(int id, const Items& items, Write write) {
    list(id, kStruct, items.size());
    for (const auto& item : items) {
      ThriftStruct inner(to_);
      write(inner, item);
    }
  }

 private:
  enum Type : uint8_t { kI32 = 5, kI64 = 6, kBinary = 8, kList = 9, kStruct = 12 };
  static uint64_t zigzag(int64_t value) {
    return (static_cast<uint64_t>(value) << 1) ^ static_cast<uint64_t>(value >> 63);
  }

  void field(int id, Type type) {
    const int ahead = id - last_;
    if (ahead <= 15) {
      to_ += static_cast<char>(ahead << 4 | type);
    } else {
      to_ += static_cast<char>(type);
      append_uleb(zigzag(id), to_);
    }
    last_ = id;
  }
  void number(int id, Type type, int64_t value) {
    field(id, type);
    append_uleb(zigzag(value), to_);
  }
  void list(int id, Type of, size_t size) {
    field(id, kList);
    if (size < 15) {
      to_ += static_cast<char>(size << 4 | of);
    } else {
      to_ += static_cast<char>(0xf0 | of);
      append_uleb(size, to_);
    }
  }
  void append(std::string_view value) {
    append_uleb(value.size(), to_);
    to_ += value;
  }

  std::string& to_;
  int last_ = 0;
};

}  // namespace oriel::exports
