// A cell of CSV.
#pragma once

#include <string>

namespace oriel::report {

// RFC 4180: quoted if it contains a comma, a quote or a line break.
inline std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string quoted = "\"";
  for (const char c : text) quoted += c == '"' ? "\"\"" : std::string(1, c);
  return quoted + '"';
}

}  // namespace oriel::report
