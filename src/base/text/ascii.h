// Character classes of ASCII, independent of the locale. Async-safe.
#pragma once

#include <algorithm>
#include <string_view>

namespace oriel {

constexpr char capital(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }
constexpr bool is_letter(char c) { return capital(c) >= 'A' && capital(c) <= 'Z'; }
constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

constexpr bool equal_but_for_case(std::string_view a, std::string_view b) {
  return std::ranges::equal(a, b, [](char x, char y) { return capital(x) == capital(y); });
}

}  // namespace oriel
