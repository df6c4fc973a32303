// Replies as a runtime writes them.
#pragma once

#include <string>

#include "base/text/utf16.h"
#include "diagnostics/message.h"

namespace oriel::diagnostics {

class PayloadWriter {
 public:
  PayloadWriter& number(uint64_t value, size_t size) {
    for (size_t i = 0; i < size; ++i) bytes.push_back(static_cast<uint8_t>(value >> (8 * i)));
    return *this;
  }
  PayloadWriter& text(const std::string& text) {
    const std::u16string units = utf16_of(text);
    number(units.size() + 1, 4);
    for (const char16_t unit : units) number(unit, 2);
    return number(0, 2);
  }

  Bytes bytes;
};

inline Bytes message_of(uint8_t set, uint8_t command, const Bytes& payload) {
  PayloadWriter out;
  for (const char c : std::string("DOTNET_IPC_V1", 14)) out.number(static_cast<uint8_t>(c), 1);
  out.number(kHeaderBytes + payload.size(), 2).number(set, 1).number(command, 1).number(0, 2);
  out.bytes.insert(out.bytes.end(), payload.begin(), payload.end());
  return out.bytes;
}

inline Bytes ok_reply(const Bytes& payload) { return message_of(0xff, 0, payload); }
inline Bytes error_reply(uint32_t error) { return message_of(0xff, 0xff, PayloadWriter().number(error, 4).bytes); }

// What a runtime tells of `dotnet Shop.dll` at this version of the request.
inline Bytes info_payload(int version) {
  PayloadWriter out;
  if (version >= 3) out.number(1, 4);
  out.number(4711, 8).number(0, 8).number(0, 8).text("dotnet Shop.dll").text("Linux").text("x64");
  if (version >= 2) out.text("Shop").text("10.0.12");
  if (version >= 3) out.text("linux-x64");
  return out.bytes;
}

}  // namespace oriel::diagnostics
