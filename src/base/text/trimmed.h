// A text without the blanks around it.
#pragma once

#include <string_view>

#include "base/text/ascii.h"

namespace oriel {

constexpr std::string_view trimmed(std::string_view text) {
  while (!text.empty() && is_blank(text.front())) text.remove_prefix(1);
  while (!text.empty() && is_blank(text.back())) text.remove_suffix(1);
  return text;
}

}  // namespace oriel
