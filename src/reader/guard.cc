#include "reader/guard.h"

#include <cstdio>

namespace oriel::reader {

void MessageRoom::say(std::string_view message) const noexcept {
  if (text == nullptr || size == 0) return;
  size_t length = std::min(message.size(), size - 1);
  while (length < message.size() && length > 0 && (static_cast<unsigned char>(message[length]) & 0xC0) == 0x80)
    --length;
  std::memcpy(text, message.data(), length);
  text[length] = '\0';
}

void MessageRoom::say_null(std::string_view name) const noexcept {
  char sentence[80];
  const int length = std::snprintf(sentence, sizeof sentence, "NULL is given for the %.*s",
                                   static_cast<int>(name.size()), name.data());
  say({sentence, static_cast<size_t>(length)});
}

}  // namespace oriel::reader
