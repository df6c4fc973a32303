// Class ids and results in the usual notation.
#pragma once

#include <cstdio>
#include <string>

#include "runtimes/coreclr/com/com.h"

namespace oriel::coreclr {

// Reads "{9A8FE63E-…}"; false if the text has another form.
inline bool parse_guid(const char* text, Guid& id) {
  unsigned part[11];
  const int read = std::sscanf(text, "{%8x-%4x-%4x-%2x%2x-%2x%2x%2x%2x%2x%2x}", &part[0], &part[1], &part[2], &part[3],
                               &part[4], &part[5], &part[6], &part[7], &part[8], &part[9], &part[10]);
  if (read != 11) return false;
  id.data1 = part[0];
  id.data2 = static_cast<uint16_t>(part[1]);
  id.data3 = static_cast<uint16_t>(part[2]);
  for (int i = 0; i < 8; ++i) id.data4[i] = static_cast<uint8_t>(part[3 + i]);
  return true;
}

// "0x80004005"
inline std::string hresult_text(HResult result) {
  char text[16];
  std::snprintf(text, sizeof text, "0x%08x", static_cast<uint32_t>(result));
  return text;
}

}  // namespace oriel::coreclr
