#include "budget.h"

#include <algorithm>

namespace oriel::log_module {

namespace {

constexpr double kMillion = 1'000'000;
constexpr double kOlder = 0.7;         // what the intervals before weigh beside one
constexpr double kBeforeChange = 0.3;  // what all of them weigh after a change
constexpr double kAim = 0.88;          // of the budget: noise stays below it
constexpr double kMuchLeft = 0.7;      // less than this is used
constexpr double kMostSlowing = 0.25;  // in one step
constexpr double kMostRaising = 2, kLeastRaising = 1.1;

}  // namespace

uint32_t Budget::used() const { return static_cast<uint32_t>(std::min(share() * limit_, kMillion)); }

// What was spent before counts as if it had been spent at the new pace, and for less: a part of it does not depend on
// the pace, so that this step may be too small. The next intervals tell, and another step follows.
void Budget::change_pace(double factor) {
  const double before = pace_;
  pace_ = std::clamp(pace_ * factor, kSlowestPace, kFullPace);
  oriel_ *= pace_ / before * kBeforeChange;
  counted_ *= kBeforeChange;
  calm_ = 0;
}

void Budget::take(const Spent& spent) {
  const double counted = static_cast<double>(std::max(spent.program, spent.passed)) * limit_ / kMillion;
  oriel_ = oriel_ * kOlder + static_cast<double>(spent.oriel);
  counted_ = counted_ * kOlder + counted;
  const double now = share();
  calm_ = now < kMuchLeft ? calm_ + 1 : 0;
  over_at_slowest_ = now > 1 && pace_ <= kSlowestPace ? over_at_slowest_ + 1 : 0;
  if (now > 1) return change_pace(std::max(kAim / now, kMostSlowing));
  if (calm_ < kCalm || pace_ >= kFullPace) return;
  const double factor = now > 0 ? std::min(kAim / now, kMostRaising) : kMostRaising;
  if (factor >= kLeastRaising) change_pace(factor);
}

}  // namespace oriel::log_module
