#include "base/text/time_text.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "base/text/decimal.h"

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
  const Decimal number = leading_decimal(text);
  if (number.length == 0) return not_a_time();
  const auto* const unit = std::ranges::find(kUnits, text.substr(number.length), &Unit::name);
  const double ns = unit != std::end(kUnits) ? number.value * unit->ns : -1;
  if (ns >= kMost) return Status::error("that is too long: a time is less than 285 years");
  if (!(ns >= 0)) return not_a_time();
  return std::chrono::nanoseconds(std::llround(ns));
}

}  // namespace oriel
