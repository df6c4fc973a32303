#include "export/text.h"

#include <cstdint>
#include <nlohmann/json.hpp>

namespace oriel::exporting {
namespace {

constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

// Length of the well-formed UTF-8 character at the start of `text`, its code point in `code`; 0 if there is none.
size_t decode_character(std::string_view text, uint32_t& code) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) {
    code = lead;
    return 1;
  }
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return 0;
  code = lead & (0x7Fu >> length);
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3Fu);
  }
  constexpr uint32_t kSmallest[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < kSmallest[length] || surrogate || code > 0x10FFFF ? 0 : length;
}

bool is_unwanted(uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0)  // control characters
         || code == 0x2028 || code == 0x2029           // break lines in old JavaScript
         || code == 0x200E || code == 0x200F || (code >= 0x202A && code <= 0x202E) ||
         (code >= 0x2066 && code <= 0x2069)  // show text in another order than it has
         || code == 0xFEFF || code == 0xFFFE || code == 0xFFFF;
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    uint32_t code = 0;
    const size_t length = decode_character(text, code);
    if (length == 0) {
      clean += kReplacement;
    } else if (code == '\t' || code == '\n' || code == '\r') {
      clean += ' ';
    } else if (is_unwanted(code)) {
      clean += kReplacement;
    } else {
      clean += text.substr(0, length);
    }
    text.remove_prefix(length == 0 ? 1 : length);
  }
  return clean;
}

std::string json_string(std::string_view text) { return nlohmann::json(clean_text(text)).dump(); }

std::string escape_for_script(std::string_view json) {
  std::string safe;
  safe.reserve(json.size());
  for (const char c : json) {
    switch (c) {
      case '<':
        safe += "\\u003c";
        break;
      case '>':
        safe += "\\u003e";
        break;
      case '&':
        safe += "\\u0026";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

}  // namespace oriel::exporting
