#include "profile/work/losses.h"

#include <algorithm>
#include <string_view>

namespace oriel::profile {
namespace {

constexpr LossKind what_SAMPLES = LossKind::kSamples;
constexpr LossKind what_CALLERS = LossKind::kCallers;
constexpr LossKind what_EVENTS = LossKind::kEvents;
constexpr LossKind what_CALLS = LossKind::kCalls;
constexpr LossKind what_ALLOCATIONS = LossKind::kAllocations;
constexpr LossKind what_CALL_EVENTS = LossKind::kCallEvents;

struct Reason {
  std::string_view name;
  LossKind what;
  const char* words;
};
constexpr Reason kReasons[] = {
#define ORIEL_LOST(symbol, name, what, words) {name, what_##what, words},
#define ORIEL_LOST_IN_LOG ORIEL_LOST
#include "oriel/lost.def"
#undef ORIEL_LOST
#undef ORIEL_LOST_IN_LOG
};

const Reason* known(std::string_view name) {
  const auto* found = std::ranges::find(kReasons, name, &Reason::name);
  return found == std::end(kReasons) ? nullptr : found;
}

// An unknown reason, from a newer oriel, counts as lost samples.
LossKind what_of(const Reason* reason) { return reason ? reason->what : LossKind::kSamples; }

}  // namespace

std::vector<Loss> losses(const Profile& profile) {
  std::vector<Loss> result;
  for (const LossKind what : {LossKind::kSamples, LossKind::kCallers, LossKind::kEvents, LossKind::kCalls,
                              LossKind::kAllocations, LossKind::kCallEvents}) {
    Loss loss;
    loss.what = what;
    for (const Lost& lost : profile.lost) {
      const Reason* reason = known(lost.reason);
      if (lost.count == 0 || what_of(reason) != what) continue;
      loss.count += lost.count;
      loss.reasons.push_back({lost.count, reason ? reason->words : lost.reason});
    }
    if (loss.count == 0) continue;
    const bool of_samples = what == LossKind::kSamples || what == LossKind::kCallers;
    if (of_samples && profile.unit == Unit::kPeriods)
      loss.of = profile.unfiltered_periods + (what == LossKind::kSamples ? loss.count : 0);
    result.push_back(std::move(loss));
  }
  return result;
}

uint64_t lost_samples(const Profile& profile) {
  uint64_t count = 0;
  for (const Lost& lost : profile.lost)
    if (what_of(known(lost.reason)) == LossKind::kSamples) count += lost.count;
  return count;
}

}  // namespace oriel::profile
