// Numbers as text, "1.5", whatever the locale is: std::from_chars for double, which libc++ lacks.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace oriel {

struct Decimal {
  double value = 0;
  size_t length = 0;  // of what was read; 0: the text does not begin with a number
};

// The number at the text's beginning: digits, with a point and a minus or without.
Decimal leading_decimal(std::string_view text);

// The whole text as such a number, which may have an exponent ("1E-05"). Nullopt if it is none, or beyond a double.
std::optional<double> whole_decimal(std::string_view text);

}  // namespace oriel
