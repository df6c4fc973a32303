// Quoting of words for a shell.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// The text itself, or in single quotes if a shell would split or expand it.
inline std::string shell_word(std::string_view text) {
  if (!text.empty() && text.find_first_of(" \t\n'\"\\$`;&|<>()*?#~!") == std::string_view::npos)
    return std::string(text);
  std::string quoted = "'";
  for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

// Splits a line of words that shell_word wrote, separated by blanks.
inline std::vector<std::string> split_shell_words(std::string_view line) {
  std::vector<std::string> words;
  bool quoted = false, in_word = false;
  for (size_t i = 0; i < line.size(); ++i) {
    const char c = line[i];
    if (!quoted && c == ' ') {
      in_word = false;
      continue;
    }
    if (!in_word) words.emplace_back();
    in_word = true;
    if (c == '\'') {
      quoted = !quoted;
    } else {
      const bool escapes = !quoted && c == '\\' && i + 1 < line.size();
      words.back() += escapes ? line[++i] : c;
    }
  }
  return words;
}

}  // namespace oriel
