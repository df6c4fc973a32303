// Strings of a log may hold any bytes; what leaves the decoder is UTF-8.
#pragma once

#include <string>
#include <string_view>

namespace oriel::log {

bool is_valid_utf8(std::string_view text);

// Replaces each byte that is no part of a UTF-8 sequence by U+FFFD.
void make_valid_utf8(std::string& text);

}  // namespace oriel::log
