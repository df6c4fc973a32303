// UTF-16, as the runtime has it, and UTF-8, as Oriel does. What is none becomes U+FFFD.
#pragma once

#include <string>
#include <string_view>

namespace oriel::metadata {

std::string utf8_of(std::u16string_view text);
std::u16string utf16_of(std::string_view text);

}  // namespace oriel::metadata
