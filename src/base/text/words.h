// Lists written as one text.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// Returns the text before a separator; `text` becomes the rest after it.
inline std::string_view cut(std::string_view& text, char separator) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

// The non-empty parts of a text between separators.
inline std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    if (const std::string_view part = cut(text, separator); !part.empty()) parts.emplace_back(part);
  }
  return parts;
}

// The words joined by a separator.
template <typename Words>
std::string join(const Words& words, std::string_view separator) {
  std::string text;
  for (const auto& word : words) text.append(text.empty() ? "" : separator).append(word);
  return text;
}

}  // namespace oriel
