#include "push/backoff.h"

#include <algorithm>
#include <cmath>

namespace oriel::push {

std::chrono::milliseconds pause_after(unsigned attempt, double random) {
  constexpr double kFirst = 1000, kMost = 30'000;  // milliseconds
  const double whole = std::min(kFirst * std::exp2(std::min(attempt, 20u)), kMost);
  return std::chrono::milliseconds(static_cast<int64_t>(whole * (0.5 + random / 2)));
}

}  // namespace oriel::push
