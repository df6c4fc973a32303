// The text form of class ids: "{324F817A-7420-4E6D-B3C1-143FBED6D855}". Async-safe.
#pragma once

#include <cstddef>
#include <string_view>

#include "base/text/ascii.h"

namespace oriel {

inline constexpr std::string_view kClsidShape = "{XXXXXXXX-XXXX-XXXX-XXXX-XXXXXXXXXXXX}";

constexpr bool is_hex_digit(char c) { return is_digit(c) || (capital(c) >= 'A' && capital(c) <= 'F'); }

// The length of the longest prefix that fits a class id: kClsidShape.size() if the text begins with a whole one.
constexpr size_t like_clsid(std::string_view text) {
  size_t at = 0;
  while (at < kClsidShape.size() && at < text.size() &&
         (kClsidShape[at] == 'X' ? is_hex_digit(text[at]) : text[at] == kClsidShape[at]))
    ++at;
  return at;
}

}  // namespace oriel
