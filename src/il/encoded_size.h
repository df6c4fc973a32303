// What a method body's header tells, without a look at its instructions.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace oriel::il {

// Header, code and sections of the body that `bytes` begins with, which may be longer; 0 if its header is none, or the
// bytes end before the body does. Aligned as in decode().
size_t encoded_size(std::span<const uint8_t> bytes);

// Whether the body has sections behind its code, which are clauses of exceptions.
bool has_clauses(std::span<const uint8_t> bytes);

}  // namespace oriel::il
