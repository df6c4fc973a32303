#include "base/text/utf8.h"

#include <cstring>

namespace oriel {
namespace {

bool is_ascii(std::string_view text) {
  while (text.size() >= 8) {
    uint64_t word;
    std::memcpy(&word, text.data(), 8);
    if (word & 0x8080808080808080u) return false;
    text.remove_prefix(8);
  }
  for (const char c : text) {
    if (static_cast<uint8_t>(c) & 0x80) return false;
  }
  return true;
}

}  // namespace

bool is_valid_utf8(std::string_view text) {
  if (is_ascii(text)) return true;
  while (!text.empty()) {
    const Utf8Character character = utf8_at(text);
    if (!character.valid) return false;
    text.remove_prefix(character.size);
  }
  return true;
}

void make_valid_utf8(std::string& text) {
  if (is_valid_utf8(text)) return;
  std::string valid;
  std::string_view rest = text;
  while (!rest.empty()) {
    const Utf8Character character = utf8_at(rest);
    valid += character.valid ? rest.substr(0, character.size) : kReplacement;
    rest.remove_prefix(character.size);
  }
  text = std::move(valid);
}

}  // namespace oriel
