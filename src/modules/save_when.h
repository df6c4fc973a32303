// When a flight recorder saves what it holds: the options, and what they mean.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace oriel::modules {

// In the order of the words of its row in the table.
enum class SaveSignal : uint8_t { kUsr1, kUsr2 };

// 0 and empty: not then.
struct SaveWhen {
  int signal = 0;
  std::vector<std::string> exceptions;  // patterns of types' names
  uint32_t cpu_percent = 0;             // of the processors that the process may use
  uint64_t pause_ns = 0;                // the runtime stopped the program's threads for a collection for so long
  uint64_t request_ns = 0;              // an activity took so long
};

// "SIGUSR1" of its number.
const char* name_of_signal(int number);

// "80%", or "80". The error says only what a share is.
Result<uint32_t> parse_percent(std::string_view text);

// Whether a type's full name matches: a pattern without a dot is compared with the last part of the name,
// "TimeoutException" with that of "System.TimeoutException".
bool matches_type(const std::vector<std::string>& patterns, std::string_view type);

}  // namespace oriel::modules
