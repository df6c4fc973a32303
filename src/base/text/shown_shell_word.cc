#include "base/text/shown_shell_word.h"

#include <cstdint>

#include "base/text/shell_word.h"
#include "base/text/utf8.h"

namespace oriel {
namespace {

bool is_showable(const Utf8Character& character) { return character.valid && !acts_on_terminal(character.code); }

bool is_showable(std::string_view text) {
  for (size_t at = 0; at < text.size();) {
    const Utf8Character character = utf8_at(text, at);
    if (!is_showable(character)) return false;
    at += character.size;
  }
  return true;
}

// A byte as it stands in $'…'.
std::string escaped(char byte) {
  switch (byte) {
    case '\n':
      return "\\n";
    case '\r':
      return "\\r";
    case '\t':
      return "\\t";
    case '\x1b':
      return "\\e";
    default:
      break;
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  const auto value = static_cast<uint8_t>(byte);
  return {'\\', 'x', kDigits[value >> 4], kDigits[value & 0xF]};
}

}  // namespace

bool acts_on_terminal(char32_t code) {
  const bool direction =
      code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
  constexpr char32_t kByteOrder = 0xFEFF;  // is not seen
  return code < 0x20 || (code >= 0x7F && code <= 0x9F) || code == 0x2028 || code == 0x2029 || direction ||
         code == kByteOrder;
}

std::string shown_shell_word(std::string_view text) {
  if (is_showable(text)) return shell_word(text);
  std::string quoted = "$'";
  for (size_t at = 0; at < text.size();) {
    const Utf8Character character = utf8_at(text, at);
    for (const char byte : text.substr(at, character.size)) {
      if (!is_showable(character))
        quoted += escaped(byte);
      else
        quoted += byte == '\'' || byte == '\\' ? std::string{'\\', byte} : std::string(1, byte);
    }
    at += character.size;
  }
  return quoted + "'";
}

}  // namespace oriel
