#include "modules/file_limits.h"

#include "base/text/time_text.h"
#include "base/text/whole_number.h"
#include "base/text/words.h"

namespace oriel::modules {
namespace {

struct Unit {
  std::string_view name;
  uint64_t bytes;
};
constexpr Unit kSizes[] = {{"KB", 1'000}, {"MB", 1'000'000}, {"GB", 1'000'000'000}};

// Smaller files would consist of little but names.
constexpr uint64_t kLeastBytes = 64'000;
constexpr uint64_t kMostNumber = 1'000'000;

// 0 if it is no size.
uint64_t bytes_of(std::string_view text) {
  const size_t digits = text.find_first_not_of("0123456789");
  if (digits == std::string_view::npos) return 0;
  const uint64_t number = whole_number(text.substr(0, digits)).value_or(0);
  if (number > kMostNumber) return 0;
  for (const Unit& unit : kSizes) {
    if (text.substr(digits) == unit.name) return number * unit.bytes;
  }
  return 0;
}

// 0 if it is no time of whole seconds, or has no unit: "60" may be meant as a size.
std::chrono::seconds time_of(std::string_view text) {
  const auto time = parse_time(text);
  if (!time || (text.back() >= '0' && text.back() <= '9')) return std::chrono::seconds(0);
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(*time);
  return seconds == *time ? seconds : std::chrono::seconds(0);
}

}  // namespace

Result<FileLimits> parse_file_limits(std::string_view text) {
  FileLimits limits;
  while (!text.empty()) {
    const std::string_view part = cut(text, '/');
    const uint64_t bytes = bytes_of(part);
    const std::chrono::seconds time = time_of(part);
    if (bytes >= kLeastBytes && limits.bytes == 0)
      limits.bytes = bytes;
    else if (time.count() != 0 && limits.time.count() == 0)
      limits.time = time;
    else
      return Status::error("a limit is a size from 64KB on (KB, MB, GB), a time (s, min, h, d), or both: 100MB/1h");
  }
  return limits;
}

}  // namespace oriel::modules
