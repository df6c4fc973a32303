#include "metadata/utf16.h"

#include <cstdint>

#include "base/text/utf8.h"

namespace oriel::metadata {
namespace {

constexpr uint32_t kReplacement = 0xfffd;

bool is_high(char16_t unit) { return (unit & 0xfc00) == 0xd800; }
bool is_low(char16_t unit) { return (unit & 0xfc00) == 0xdc00; }

void append(std::string& out, uint32_t point) {
  const auto byte = [&out](uint32_t bits) { out.push_back(static_cast<char>(bits)); };
  const auto tail = [&](int shift) { byte(0x80 | (point >> shift & 0x3f)); };
  if (point < 0x80) {
    byte(point);
  } else if (point < 0x800) {
    byte(0xc0 | point >> 6);
    tail(0);
  } else if (point < 0x10000) {
    byte(0xe0 | point >> 12);
    tail(6);
    tail(0);
  } else {
    byte(0xf0 | point >> 18);
    tail(12);
    tail(6);
    tail(0);
  }
}

}  // namespace

std::string utf8_of(std::u16string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const char16_t unit = text[i];
    if (is_high(unit) && i + 1 < text.size() && is_low(text[i + 1])) {
      append(out, 0x10000 + ((unit & 0x3ffu) << 10) + (text[++i] & 0x3ffu));
    } else {
      append(out, is_high(unit) || is_low(unit) ? kReplacement : unit);
    }
  }
  return out;
}

std::u16string utf16_of(std::string_view text) {
  std::u16string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const Utf8Character character = utf8_at(text, at);
    const uint32_t code = character.valid ? character.code : kReplacement;
    at += character.size;
    if (code < 0x10000) {
      out.push_back(static_cast<char16_t>(code));
    } else {
      out.push_back(static_cast<char16_t>(0xd7c0 + (code >> 10)));
      out.push_back(static_cast<char16_t>(0xdc00 | (code & 0x3ff)));
    }
  }
  return out;
}

}  // namespace oriel::metadata
