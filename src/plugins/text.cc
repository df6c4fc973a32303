#include "plugins/text.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "base/text/utf16.h"

namespace oriel::plugins {
namespace {

// The length field, padded so that characters are aligned like those of the runtime's own strings.
constexpr size_t kBefore = 8;

}  // namespace

Bstr make_bstr(std::string_view text) {
  const std::u16string wide = utf16_of(text);
  const auto bytes = static_cast<uint32_t>(wide.size() * sizeof(char16_t));
  auto* memory = static_cast<char*>(std::malloc(kBefore + bytes + sizeof(char16_t)));
  if (memory == nullptr) return nullptr;
  std::memcpy(memory + kBefore - sizeof bytes, &bytes, sizeof bytes);
  std::memcpy(memory + kBefore, wide.c_str(), bytes + sizeof(char16_t));
  return reinterpret_cast<Bstr>(memory + kBefore);
}

void free_bstr(Bstr text) {
  if (text != nullptr) std::free(reinterpret_cast<char*>(text) - kBefore);
}

std::string text_of(const char16_t* text) { return text == nullptr ? std::string() : utf8_of(text); }

std::string guid_text(const Guid& id) {
  char text[40];
  const uint8_t* b = id.data4;
  std::snprintf(text, sizeof text, "{%08X-%04X-%04X-%02X%02X-%02X%02X%02X%02X%02X%02X}", id.data1, id.data2, id.data3,
                b[0], b[1], b[2], b[3], b[4], b[5], b[6], b[7]);
  return text;
}

std::string bare_guid_text(const Guid& id) {
  const std::string text = guid_text(id);
  return text.substr(1, text.size() - 2);
}

}  // namespace oriel::plugins
