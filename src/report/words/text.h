// Text for a terminal: display width, fitting, sanitizing. Widths are in columns.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace oriel::report {

// Valid UTF-8 without control characters: names come from the profiled program and must not control a terminal.
std::string clean(std::string_view text);

// The functions below take clean text.
size_t display_width(std::string_view text);
std::string pad_left(std::string_view text, size_t width);
std::string pad_right(std::string_view text, size_t width);
// Cut to `width`, with "…" in place of the removed part.
std::string cut_end(std::string_view text, size_t width);
std::string cut_start(std::string_view text, size_t width);
std::string cut_middle(std::string_view text, size_t width);

// Lines of at most `width` columns, broken at blanks; longer words are cut.
std::string wrap(std::string_view text, size_t width, std::string_view indent);

}  // namespace oriel::report
