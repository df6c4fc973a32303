// Times as a person writes them.
#pragma once

#include <chrono>
#include <string_view>

#include "base/status.h"

namespace oriel {

// "300ms", "1.5s", "2min" (or "2m"), "1h", "7d", "20us"; without a unit seconds. Not negative. The error says only what
// a time is, or that this one is too long.
Result<std::chrono::nanoseconds> parse_time(std::string_view text);

// The error for a time that may not be 0.
Status not_a_time();

}  // namespace oriel
