// Bodies written down for tests, and read back as text.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "il/body.h"
#include "il/encode.h"

namespace oriel::il::test {

using Bytes = std::vector<uint8_t>;

// A clause in numbers, as in a section.
struct ClauseBytes {
  uint32_t kind, try_offset, try_length, handler_offset, handler_length, last = 0;
};

// A tiny or a fat body around code.
Bytes tiny(const Bytes& code);
Bytes fat(const Bytes& code, uint16_t max_stack = 8, uint32_t locals_token = 0, bool init_locals = false);
// A fat body with an exception section, small or fat.
Bytes with_clauses(const Bytes& code, const std::vector<ClauseBytes>& clauses, bool fat_section = false);

// Decodes what must decode.
Body body_of(const Bytes& bytes);
// Encodes what must encode, and decodes again.
Body through(Body& body);

// "ldarg.0; brtrue >2; ret": operands in hexadecimal, targets by their place in the list.
std::string listing(Body& body);
// "catch 0-2 2-4; …" : try and handler by places in the list, the end exclusive.
std::string clause_listing(Body& body);

}  // namespace oriel::il::test
