// Patterns of machine code: bytes as two hexadecimal digits with "?" for any digit, and "*" for any bytes between.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace oriel::coreclr {

// The number of bytes in a pattern without "*".
size_t shape_length(std::string_view pattern);

// Whether `code` begins with the pattern, which must be well formed.
bool begins_with_shape(std::span<const uint8_t> code, std::string_view pattern);

// Whether it contains the pattern.
bool has_shape(std::span<const uint8_t> code, std::string_view pattern);

}  // namespace oriel::coreclr
