#include "modules/save_when.h"

#include <algorithm>
#include <csignal>

#include "base/text/patterns.h"
#include "base/text/whole_number.h"

namespace oriel::modules {

const char* name_of_signal(int number) { return number == SIGUSR1 ? "SIGUSR1" : "SIGUSR2"; }

Result<uint32_t> parse_percent(std::string_view text) {
  const std::string_view digits = text.ends_with('%') ? text.substr(0, text.size() - 1) : text;
  const auto number = whole_number(digits);
  if (!number || *number == 0 || *number > 100)
    return Status::error("a share of the processors is a whole number from 1% to 100%");
  return static_cast<uint32_t>(*number);
}

bool matches_type(const std::vector<std::string>& patterns, std::string_view type) {
  const size_t dot = type.substr(0, type.find('<')).rfind('.');
  const std::string_view last = dot == std::string_view::npos ? type : type.substr(dot + 1);
  return std::ranges::any_of(patterns, [&](const std::string& pattern) {
    return matches_glob(pattern, pattern.find('.') == std::string::npos ? last : type);
  });
}

}  // namespace oriel::modules
