// Parsing of whole numbers.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace oriel {

// The value of a text of decimal digits only, without a sign; nullopt if it has others or the number does not fit.
inline std::optional<uint64_t> whole_number(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace oriel
