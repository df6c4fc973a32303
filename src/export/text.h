// Names made safe to write: what a profiled program calls its methods is up to the program.
#pragma once

#include <string>
#include <string_view>

namespace oriel::exporting {

// Valid UTF-8 on one line: line breaks and tabs become spaces; other control characters, line and paragraph separators,
// characters that turn the direction of writing, and bytes that are no UTF-8 become U+FFFD.
std::string clean_text(std::string_view text);

// `text`, cleaned, as a JSON string with its quotes.
std::string json_string(std::string_view text);

// JSON that stands inside an HTML <script> element: no '<', '>' or '&' is left in it. They occur in strings only.
std::string escape_for_script(std::string_view json);

}  // namespace oriel::exporting
