// Names of metadata's streams, as images and portable PDBs have them (ECMA-335 II.24.2.2).
#pragma once

#include <string>

#include "il/byte_reader.h"

namespace oriel::il {

// Up to its NUL, which with what fills up to a multiple of four is skipped too.
inline std::string stream_name(ByteReader& reader) {
  constexpr size_t kLongest = 32;
  std::string name;
  while (name.size() < kLongest) {
    const char c = reader.read<char>();
    if (c == '\0') break;
    name += c;
  }
  reader.align4();
  return name;
}

}  // namespace oriel::il
