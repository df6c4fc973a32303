// Names of metadata streams in images and portable PDBs (ECMA-335 II.24.2.2).
#pragma once

#include <string>

#include "il/byte_reader.h"

namespace oriel::il {

// Reads up to the NUL and skips the padding to a multiple of four.
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
