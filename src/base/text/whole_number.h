// Whole numbers that somebody typed.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace oriel {

// The number that all of the text is in decimal digits, without a sign; nothing if it is none or does not fit.
inline std::optional<uint64_t> whole_number(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace oriel
