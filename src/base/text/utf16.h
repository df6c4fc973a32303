// Conversions between UTF-16, used by the runtime, and UTF-8, used by Oriel. Invalid parts become U+FFFD.
#pragma once

#include <string>
#include <string_view>

namespace oriel {

std::string utf8_of(std::u16string_view text);
std::u16string utf16_of(std::string_view text);

}  // namespace oriel
