// Numbers of the Parquet format, as Apache Parquet's parquet.thrift has them.
#pragma once

#include <cstdint>
#include <string>

namespace oriel::exports::parquet {

enum Type { kInt64 = 2, kByteArray = 6 };
enum Repetition { kOptional = 1 };
enum ConvertedType { kUtf8 = 0 };
enum PageType { kDataPage = 0, kDictionaryPage = 2 };
enum Encoding { kPlain = 0, kRle = 3, kRleDictionary = 8 };
enum Codec { kZstd = 6 };
inline constexpr const char* kMagic = "PAR1";  // begins and ends a file
inline constexpr int32_t kFormatVersion = 2;

inline void append_little_endian(uint64_t value, int bytes, std::string& to) {
  for (int i = 0; i < bytes; ++i) to += static_cast<char>(value >> (8 * i));
}
inline std::string little_endian(uint64_t value, int bytes) {
  std::string text;
  append_little_endian(value, bytes, text);
  return text;
}

}  // namespace oriel::exports::parquet
