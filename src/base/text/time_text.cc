#include "base/text/time_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

namespace oriel {

Status not_a_time() {
  return Status::error("a time is a number of us, ms, s, min, h or d, such as 100ms, 1.5s or 2min");
}

Result<std::chrono::nanoseconds> parse_time(std::string_view text) {
  struct Unit {
    std::string_view name;
    double ns;
  };
  constexpr Unit kUnits[] = {{"us", 1e3}, {"ms", 1e6},   {"s", 1e9},     {"", 1e9},
                             {"m", 60e9}, {"min", 60e9}, {"h", 3'600e9}, {"d", 86'400e9}};
  constexpr double kMost = 9e18;  // the range of 63 bits
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto [at, error] = std::from_chars(text.data(), end, number, std::chars_format::fixed);
  if (error != std::errc()) return not_a_time();
  const auto* const unit = std::ranges::find(kUnits, std::string_view(at, static_cast<size_t>(end - at)), &Unit::name);
  const double ns = unit != std::end(kUnits) ? number * unit->ns : -1;
  if (!(ns >= 0 && ns < kMost)) return not_a_time();
  return std::chrono::nanoseconds(std::llround(ns));
}

}  // namespace oriel
