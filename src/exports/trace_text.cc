#include "exports/trace_text.h"

#include <fmt/format.h>

#include <cmath>

namespace oriel::exports {

std::string thousandths(int64_t number) {
  constexpr int64_t kThousand = 1000;
  if (number <= 0) return "0";
  return fmt::format("{}.{:03}", number / kThousand, number % kThousand);
}

std::string json_number(double value) { return std::isfinite(value) ? fmt::format("{}", value) : "0"; }

}  // namespace oriel::exports
