#include "log/utf8.h"

#include <cstdint>
#include <cstring>

namespace oriel::log {
namespace {

// Bytes of the well-formed sequence that `text` begins with, 0 if there is none (Unicode 15, table 3-7).
size_t sequence_length(std::string_view text) {
  const auto byte = [&](size_t index) { return static_cast<uint8_t>(text[index]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return 1;
  const size_t length = lead >= 0xc2 && lead <= 0xdf   ? 2
                        : (lead & 0xf0) == 0xe0        ? 3
                        : lead >= 0xf0 && lead <= 0xf4 ? 4
                                                       : 0;
  if (length == 0 || text.size() < length) return 0;
  const uint8_t least = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  const uint8_t most = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  if (byte(1) < least || byte(1) > most) return 0;
  for (size_t i = 2; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  return length;
}

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
    const size_t length = sequence_length(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

void make_valid_utf8(std::string& text) {
  if (is_valid_utf8(text)) return;
  std::string valid;
  std::string_view rest = text;
  while (!rest.empty()) {
    const size_t length = sequence_length(rest);
    if (length == 0) {
      valid += "\xef\xbf\xbd";
    } else {
      valid += rest.substr(0, length);
    }
    rest.remove_prefix(length == 0 ? 1 : length);
  }
  text = std::move(valid);
}

}  // namespace oriel::log
