#include "report/words/text.h"

#include <cstdint>

#include "base/text/shown_shell_word.h"
#include "base/text/utf8.h"

namespace oriel::report {
namespace {

constexpr std::string_view kEllipsis = "…";

struct Range {
  char32_t first, last;
};
// Approximation of Unicode's East Asian Width W and F, and of combining marks.
constexpr Range kWide[] = {{0x1100, 0x115F}, {0x2E80, 0xA4CF}, {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},  {0xFE30, 0xFE6F},
                           {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD}};
constexpr Range kZero[] = {{0x0300, 0x036F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}};

size_t columns(char32_t code) {
  if (code < 0x0300) return 1;
  for (const Range& range : kZero)
    if (code >= range.first && code <= range.last) return 0;
  for (const Range& range : kWide)
    if (code >= range.first && code <= range.last) return 2;
  return 1;
}

// Length in bytes of the longest prefix of at most `width` columns.
size_t prefix_end(std::string_view text, size_t width) {
  size_t used = 0;
  size_t at = 0;
  while (at < text.size()) {
    const Utf8Character character = utf8_at(text, at);
    used += columns(character.code);
    if (used > width) break;
    at += character.size;
  }
  return at;
}

size_t suffix_start(std::string_view text, size_t width) {
  const size_t total = display_width(text);
  size_t left = total;
  size_t at = 0;
  while (at < text.size() && left > width) {
    const Utf8Character character = utf8_at(text, at);
    left -= columns(character.code);
    at += character.size;
  }
  return at;
}

}  // namespace

std::string clean(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const Utf8Character character = utf8_at(text, at);
    if (character.valid && !acts_on_terminal(character.code)) {
      result.append(text.substr(at, character.size));
    } else {
      result += kReplacement;
    }
    at += character.size;
  }
  return result;
}

size_t display_width(std::string_view text) {
  size_t width = 0;
  for (size_t at = 0; at < text.size();) {
    const Utf8Character character = utf8_at(text, at);
    width += columns(character.code);
    at += character.size;
  }
  return width;
}

std::string pad_left(std::string_view text, size_t width) {
  const size_t used = display_width(text);
  return std::string(used < width ? width - used : 0, ' ').append(text);
}

std::string pad_right(std::string_view text, size_t width) {
  const size_t used = display_width(text);
  return std::string(text).append(used < width ? width - used : 0, ' ');
}

std::string cut_end(std::string_view text, size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return "";
  return std::string(text.substr(0, prefix_end(text, width - 1))).append(kEllipsis);
}

std::string cut_start(std::string_view text, size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return "";
  return std::string(kEllipsis).append(text.substr(suffix_start(text, width - 1)));
}

std::string cut_middle(std::string_view text, size_t width) {
  if (display_width(text) <= width) return std::string(text);
  if (width == 0) return "";
  const size_t head = (width - 1) / 2;
  return std::string(text.substr(0, prefix_end(text, head)))
      .append(kEllipsis)
      .append(text.substr(suffix_start(text, width - 1 - head)));
}

std::string wrap(std::string_view text, size_t width, std::string_view indent) {
  const size_t room = width > indent.size() ? width - indent.size() : 1;
  std::string result;
  std::string line;
  const auto finish_line = [&] {
    if (line.empty()) return;
    result.append(indent).append(line).append("\n");
    line.clear();
  };
  for (size_t at = 0; at < text.size();) {
    // Do not break within "3.5 %".
    size_t blank = std::min(text.find(' ', at), text.size());
    if (text.substr(blank).starts_with(" %")) blank = std::min(text.find(' ', blank + 1), text.size());
    const std::string word = cut_middle(text.substr(at, blank - at), room);
    at = blank + 1;
    if (!line.empty() && display_width(line) + 1 + display_width(word) > room) finish_line();
    if (!line.empty() && !word.empty()) line += ' ';
    line += word;
  }
  finish_line();
  return result;
}

}  // namespace oriel::report
