#include "report/words/json_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text/shown_shell_word.h"
#include "base/text/utf8.h"

namespace oriel::report {

std::string escaped_for_terminal(std::string text) {
  // Below U+007F they are escaped, or JSON's own line breaks.
  if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x7F; })) return text;
  std::string escaped;
  escaped.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const Utf8Character character = utf8_at(text, at);
    if (character.code >= 0x7F && acts_on_terminal(character.code))
      escaped += fmt::format("\\u{:04x}", static_cast<uint32_t>(character.code));
    else
      escaped.append(text, at, character.size);
    at += character.size;
  }
  return escaped;
}

}  // namespace oriel::report
