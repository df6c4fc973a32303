// UTF-16 as the runtime has it, to UTF-8 as Oriel does. Lone surrogates become U+FFFD.
#pragma once

#include <string>
#include <string_view>

namespace oriel::metadata {

std::string utf8_of(std::u16string_view text);

}  // namespace oriel::metadata
