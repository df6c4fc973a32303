// A cell of CSV.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "report/words/text.h"

namespace oriel::report {

// RFC 4180: quoted if it contains a comma, a quote or a line break. Line feeds and tabs stay as they are; other
// characters that a terminal acts on, and bytes that are no UTF-8, become U+FFFD.
inline std::string csv_text(std::string_view text) {
  constexpr std::string_view kKept = "\n\t";
  std::string cell;
  while (!text.empty()) {
    const size_t end = std::min(text.find_first_of(kKept), text.size());
    cell += clean(text.substr(0, end));
    if (end < text.size()) cell += text[end];
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  if (cell.find_first_of(",\"\n") == std::string::npos) return cell;
  std::string quoted = "\"";
  for (const char c : cell) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

}  // namespace oriel::report
