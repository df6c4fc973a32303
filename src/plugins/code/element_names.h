// Names of element types for plug-ins.
#pragma once

#include <string_view>

#include "base/text/element.h"

namespace oriel::plugins {

constexpr std::string_view element_name(Element element) {
  constexpr std::string_view kNames[] = {
      "END",   "VOID",   "BOOLEAN", "CHAR",        "I1",         "U1",       "I2",      "U2",    "I4",
      "U4",    "I8",     "U8",      "R4",          "R8",         "STRING",   "PTR",     "BYREF", "VALUETYPE",
      "CLASS", "VAR",    "ARRAY",   "GENERICINST", "TYPEDBYREF", "INVALID",  "I",       "U",     "INVALID",
      "FNPTR", "OBJECT", "SZARRAY", "MVAR",        "CMOD_REQD",  "CMOD_OPT", "INTERNAL"};
  const auto code = static_cast<size_t>(element);
  if (code < sizeof kNames / sizeof kNames[0]) return kNames[code];
  return element == Element::kSentinel ? "SENTINEL" : element == Element::kPinned ? "PINNED" : "INVALID";
}

}  // namespace oriel::plugins
