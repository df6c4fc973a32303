// Text for a terminal: how wide it is, made to fit, made harmless. Widths are columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace oriel::report {

// Valid UTF-8 without control characters: names come from the profiled program, and must not steer a terminal.
std::string clean(std::string_view text);

// All of these take clean text.
size_t display_width(std::string_view text);
std::string pad_left(std::string_view text, size_t width);
std::string pad_right(std::string_view text, size_t width);
// With "…" for what had to go.
std::string cut_end(std::string_view text, size_t width);
std::string cut_start(std::string_view text, size_t width);
std::string cut_middle(std::string_view text, size_t width);

// Lines of at most `width` columns, broken at blanks; a longer word is cut.
std::string wrap(std::string_view text, size_t width, std::string_view indent);

}  // namespace oriel::report
