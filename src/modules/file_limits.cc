#include "modules/file_limits.h"

#include "base/text/whole_number.h"
#include "base/text/words.h"

namespace oriel::modules {
namespace {

struct Unit {
  std::string_view name;
  uint64_t scale;
};
constexpr Unit kSizes[] = {{"KB", 1'000}, {"MB", 1'000'000}, {"GB", 1'000'000'000}};
constexpr Unit kTimes[] = {{"s", 1}, {"min", 60}, {"h", 3'600}, {"d", 86'400}};

// Smaller files would consist of little but names.
constexpr uint64_t kLeastBytes = 64'000;
constexpr uint64_t kMostNumber = 1'000'000;

// The number times the unit that follows it; 0 if it is none of these.
template <size_t count>
uint64_t scaled(std::string_view text, const Unit (&units)[count]) {
  const size_t digits = text.find_first_not_of("0123456789");
  if (digits == std::string_view::npos) return 0;
  const uint64_t number = whole_number(text.substr(0, digits)).value_or(0);
  if (number > kMostNumber) return 0;
  for (const Unit& unit : units) {
    if (text.substr(digits) == unit.name) return number * unit.scale;
  }
  return 0;
}

}  // namespace

Result<FileLimits> parse_file_limits(std::string_view text) {
  FileLimits limits;
  while (!text.empty()) {
    const std::string_view part = cut(text, '/');
    const uint64_t bytes = scaled(part, kSizes), seconds = scaled(part, kTimes);
    if (bytes >= kLeastBytes && limits.bytes == 0)
      limits.bytes = bytes;
    else if (seconds != 0 && limits.time.count() == 0)
      limits.time = std::chrono::seconds(seconds);
    else
      return Status::error("a limit is a size from 64KB on (KB, MB, GB), a time (s, min, h, d), or both: 100MB/1h");
  }
  return limits;
}

}  // namespace oriel::modules
