// When a module's file ends and the next one begins.
#pragma once

#include <chrono>
#include <cstdint>
#include <string_view>

#include "base/status.h"

namespace oriel::modules {

// The limits of one file; 0: none.
struct FileLimits {
  uint64_t bytes = 0;
  std::chrono::seconds time{0};

  bool operator==(const FileLimits&) const = default;
  bool any() const { return bytes != 0 || time.count() != 0; }
};

// "100MB", "1h", or both: "100MB/1h". Units are KB, MB and GB (powers of 1000), and s, min, h and d. "": no limits. The
// error says only what a limit is.
Result<FileLimits> parse_file_limits(std::string_view text);

}  // namespace oriel::modules
