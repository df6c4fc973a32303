#include "report/hints/heap_limit.h"

#include <charconv>
#include <string_view>
#include <system_error>

#include "base/text/shell_word.h"
#include "log/properties.h"
#include "profile/recorded.h"
#include "report/words/text.h"
#include "report/words/units.h"

namespace oriel::report {

using profile::Profile;

namespace {

// Numbers in the environment are hexadecimal, with or without "0x"; those in runtimeconfig.json are decimal.
uint64_t value_of(std::string_view word) {
  const size_t equals = word.find('=');
  if (equals == std::string_view::npos) return 0;
  std::string_view digits = word.substr(equals + 1);
  const bool has_prefix = digits.starts_with("0x") || digits.starts_with("0X");
  if (has_prefix) digits.remove_prefix(2);
  const int base = has_prefix || !word.starts_with("System.") ? 16 : 10;
  uint64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value, base);
  return error == std::errc() && end == digits.data() + digits.size() ? value : 0;
}

// A percentage of the control group's limit; without one, of the machine's memory, which the log does not have.
uint64_t part_of(uint64_t bytes, uint64_t percent) { return percent <= 100 ? bytes / 100 * percent : 0; }

}  // namespace

HeapLimit heap_limit(const Profile& profile) {
  constexpr uint64_t kPercentOfGroup = 75;
  const uint64_t group = profile::number_property(profile.intro, log::property::kMemoryLimit);
  if (const std::string* settings = profile::property(profile.intro, log::property::kRuntimeSettings)) {
    for (const std::string& word : split_shell_words(*settings)) {
      if (word.find("HeapHardLimit") == std::string::npos) continue;
      const bool is_percent = word.find("HeapHardLimitPercent") != std::string::npos;
      return {is_percent ? part_of(group, value_of(word)) : value_of(word), clean(word)};
    }
  }
  if (group == 0) return {};
  return {part_of(group, kPercentOfGroup), bytes(group) + " for its container or control group"};
}

}  // namespace oriel::report
