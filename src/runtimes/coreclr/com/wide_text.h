// Reads the runtime's UTF-16 strings, from functions that fill a buffer and return the length needed.
#pragma once

#include <algorithm>
#include <string>

#include "base/text/utf16.h"
#include "runtimes/coreclr/com/profiling.h"

namespace oriel::coreclr {

// Calls fill(buffer, room, &length), and again with more room if that was too small. Lengths include the final NUL. ""
// on failure.
template <typename Fill>
std::string wide_text(Fill fill) {
  constexpr uint32_t kUsual = 256;
  std::u16string text(kUsual, u'\0');
  uint32_t length = 0;
  if (failed(fill(text.data(), kUsual, &length))) return {};
  if (length > kUsual) {
    text.assign(length, u'\0');
    if (failed(fill(text.data(), length, &length))) return {};
  }
  text.resize(std::min<size_t>(length, text.size()));
  return utf8_of(std::u16string_view(text).substr(0, text.find(u'\0')));
}

}  // namespace oriel::coreclr
