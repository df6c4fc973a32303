#include "exports/text.h"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <ostream>

#include "base/text/shown_shell_word.h"
#include "base/text/utf8.h"

namespace oriel::exports {
namespace {

bool is_unwanted(char32_t code) { return acts_on_terminal(code) || code == 0xFFFE || code == 0xFFFF; }

// Fast path for most text.
bool is_plain(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c >= 0x20 && c < 0x7F; });
}

}  // namespace

std::string clean_text(std::string_view text) {
  if (is_plain(text)) return std::string(text);
  std::string clean;
  clean.reserve(text.size());
  while (!text.empty()) {
    const auto [code, size, valid] = utf8_at(text);
    if (code == '\t' || code == '\n' || code == '\r') {
      clean += ' ';
    } else if (!valid || is_unwanted(code)) {
      clean += kReplacement;
    } else {
      clean += text.substr(0, size);
    }
    text.remove_prefix(size);
  }
  return clean;
}

std::string json_string(std::string_view text) {
  if (is_plain(text) && text.find_first_of("\"\\") == std::string_view::npos) return '"' + std::string(text) + '"';
  return nlohmann::json(clean_text(text)).dump();
}

std::string markup(std::string_view text) {
  std::string escaped;
  for (const char c : clean_text(text)) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      case '\'':
        escaped += "&apos;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string escape_for_script(std::string_view json) {
  if (json.find_first_of("<>&") == std::string_view::npos) return std::string(json);
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

void BufferedText::flush() {
  out_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
  text_.clear();
}

}  // namespace oriel::exports
