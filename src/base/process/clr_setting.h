// Switches in the environment, parsed as CoreCLR does. Async-safe.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/process/clsid_text.h"

namespace oriel {

// Whether the switch is on. The text is parsed as a hexadecimal number of 32 bits as by strtoul; it is on if that is
// not 0: "01", "0x1" and "enabled" are on, "yes" and numbers out of range are off.
constexpr bool is_clr_switch_on(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || (text.front() >= '\t' && text.front() <= '\r')))
    text.remove_prefix(1);
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (text.size() > 2 && text[0] == '0' && capital(text[1]) == 'X' && is_hex_digit(text[2])) text.remove_prefix(2);
  uint64_t number = 0;
  for (; !text.empty() && is_hex_digit(text.front()) && number <= UINT32_MAX; text.remove_prefix(1)) {
    const char digit = capital(text.front());
    number = number << 4 | static_cast<uint64_t>(digit >= 'A' ? digit - 'A' + 10 : digit - '0');
  }
  return number != 0 && number <= UINT32_MAX;
}

}  // namespace oriel
