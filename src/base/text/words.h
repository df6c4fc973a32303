// Lists that are written as one text.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace oriel {

// What stands before a separator; `text` becomes what stands behind it.
inline std::string_view cut(std::string_view& text, char separator) {
  const size_t end = std::min(text.find(separator), text.size());
  const std::string_view part = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return part;
}

// The parts of a text between separators, but for empty ones.
inline std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    if (const std::string_view part = cut(text, separator); !part.empty()) parts.emplace_back(part);
  }
  return parts;
}

// The words with a separator between them.
template <typename Words>
std::string join(const Words& words, std::string_view separator) {
  std::string text;
  for (const auto& word : words) text.append(text.empty() ? "" : separator).append(word);
  return text;
}

}  // namespace oriel
