#include "budget.h"

#include <algorithm>

namespace oriel::log_module {

namespace {

constexpr double kMillion = 1'000'000;
constexpr double kOlder = 0.7;         // what the intervals before weigh beside one
constexpr double kAim = 0.88;          // of the budget: noise stays below it
constexpr double kMuchLeft = 0.7;      // less than this is used
constexpr double kMostSlowing = 0.25;  // in one step
constexpr double kMostRaising = 2, kLeastRaising = 1.1;

}  // namespace

// What was spent before says little of the new pace, as a part of it, which is not known, does not depend on the pace.
// So a step may be too small, and another follows.
void Budget::change_pace(double factor) {
  pace_ = std::clamp(pace_ * factor, kSlowestPace, kFullPace);
  oriel_ = counted_ = 0;
  calm_ = 0;
}

void Budget::take(const Spent& spent) {
  const double counted = static_cast<double>(std::max(spent.program, spent.passed)) * limit_ / kMillion;
  oriel_ = oriel_ * kOlder + static_cast<double>(spent.oriel);
  counted_ = counted_ * kOlder + counted;
  const double now = counted_ > 0 ? oriel_ / counted_ : 0;  // of the budget
  used_ = static_cast<uint32_t>(std::min(now * limit_, kMillion));
  calm_ = now < kMuchLeft ? calm_ + 1 : 0;
  over_at_slowest_ = now > 1 && pace_ <= kSlowestPace ? over_at_slowest_ + 1 : 0;
  if (now > 1) return change_pace(std::max(kAim / now, kMostSlowing));
  if (calm_ < kCalm || pace_ >= kFullPace) return;
  const double factor = now > 0 ? std::min(kAim / now, kMostRaising) : kMostRaising;
  if (factor >= kLeastRaising) change_pace(factor);
}

}  // namespace oriel::log_module
