#include "base/text/utf16.h"

#include <cstdint>

#include "base/text/utf8.h"

namespace oriel {
namespace {

constexpr char32_t kReplacementPoint = 0xfffd;

bool is_high(char16_t unit) { return (unit & 0xfc00) == 0xd800; }
bool is_low(char16_t unit) { return (unit & 0xfc00) == 0xdc00; }

}  // namespace

std::string utf8_of(std::u16string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    const char16_t unit = text[i];
    if (is_high(unit) && i + 1 < text.size() && is_low(text[i + 1])) {
      append_utf8(0x10000 + ((unit & 0x3ffu) << 10) + (text[++i] & 0x3ffu), out);
    } else {
      append_utf8(is_high(unit) || is_low(unit) ? kReplacementPoint : unit, out);
    }
  }
  return out;
}

std::u16string utf16_of(std::string_view text) {
  std::u16string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const Utf8Character character = utf8_at(text, at);
    const uint32_t code = character.valid ? character.code : kReplacementPoint;
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

}  // namespace oriel
