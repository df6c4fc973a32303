// A word as a shell takes it.
#pragma once

#include <string>
#include <string_view>

namespace oriel {

// The text itself, or in single quotes where a shell would take it apart.
inline std::string shell_word(std::string_view text) {
  if (!text.empty() && text.find_first_of(" \t\n'\"\\$`;&|<>()*?#~!") == std::string_view::npos)
    return std::string(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace oriel
