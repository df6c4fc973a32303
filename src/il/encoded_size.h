// What a method body's header says, without decoding instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace oriel::il {

// Size of header, code and sections of the body at the start of `bytes`, which may be longer; 0 if the header is
// invalid, or the bytes end before the body does. Aligned as for decode().
size_t encoded_size(std::span<const uint8_t> bytes);

// Whether the body has sections behind its code, that is, exception clauses.
bool has_clauses(std::span<const uint8_t> bytes);

}  // namespace oriel::il
