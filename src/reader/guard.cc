#include "reader/guard.h"

namespace oriel::reader {

void MessageRoom::say(std::string_view message) const noexcept {
  if (text == nullptr || size == 0) return;
  size_t length = std::min(message.size(), size - 1);
  while (length < message.size() && length > 0 && (static_cast<unsigned char>(message[length]) & 0xC0) == 0x80)
    --length;
  std::memcpy(text, message.data(), length);
  text[length] = '\0';
}

}  // namespace oriel::reader
