// UTF-8, one character at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace oriel {

// U+FFFD, the replacement for invalid UTF-8.
inline constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

struct Utf8Character {
  char32_t code = 0;
  size_t size = 1;  // bytes; 1 for an invalid one, which is to be skipped
  bool valid = false;
};

// The character at `at`, which must be inside the text. Valid is what Unicode's table 3-7 lists: no surrogates, no
// overlong forms, nothing above U+10FFFF.
inline Utf8Character utf8_at(std::string_view text, size_t at = 0) {
  const auto byte = [&](size_t i) { return static_cast<uint8_t>(text[at + i]); };
  const uint8_t lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const size_t size = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || size > text.size() - at) return {};
  char32_t code = lead & (0x7F >> size);
  for (size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3F);
  }
  constexpr char32_t kLeast[] = {0, 0, 0x80, 0x800, 0x10000};
  const bool valid = code >= kLeast[size] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
  return valid ? Utf8Character{code, size, true} : Utf8Character{};
}

// Appends a character, or part of one that is to be made valid later.
inline void append_utf8(char32_t code, std::string& text) {
  const auto byte = [&](char32_t bits) { text += static_cast<char>(bits); };
  const auto tail = [&](int shift) { byte(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) return byte(code);
  if (code < 0x800) {
    byte(0xC0 | code >> 6);
  } else if (code < 0x10000) {
    byte(0xE0 | code >> 12);
    tail(6);
  } else {
    byte(0xF0 | code >> 18);
    tail(12);
    tail(6);
  }
  tail(0);
}

// Where to cut a text that is longer than `most` bytes: there or a little before, never inside a character.
inline size_t utf8_end(std::string_view text, size_t most) {
  if (text.size() <= most) return text.size();
  while (most > 0 && (static_cast<uint8_t>(text[most]) & 0xC0) == 0x80) --most;
  return most;
}

bool is_valid_utf8(std::string_view text);

// Replaces each byte that is not part of a valid UTF-8 sequence by U+FFFD.
void make_valid_utf8(std::string& text);

}  // namespace oriel
